import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callLine } from '../../src/bin/call-line.ts';
import { stateOf } from '../../src/bin/dev/file-state.ts';
import { FileWatcher } from '../../src/bin/dev/file-watcher.ts';
import { importedFiles } from '../../src/bin/dev/imported-files.ts';
import { Listener } from '../../src/bin/dev/listener.ts';
import type { VersionProcess } from '../../src/bin/dev/version-process.ts';
import { progressLine, waitLine } from '../../src/bin/live/progress-line.ts';
import { addVariable, type GivenVariables } from '../../src/bin/options/variables.ts';
import { describeThrown } from '../../src/bin/uncaught.ts';
import { createEnvironment } from '../../src/env/environment.ts';
import { parseMount } from '../../src/env/parse-options.ts';
import { isPackageName, suggestName } from '../../src/init/package-name.ts';
import { widthOf } from '../../src/responses/columns.ts';
import { throwing } from '../kit/parts.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

describe('--mount', () => {
  it.each([
    ['/tmp:/', { host: '/tmp', virtual: '/', readOnly: false }],
    ['/srv/data:/data:ro', { host: '/srv/data', virtual: '/data', readOnly: true }],
    ['./here:/a/b', { host: './here', virtual: '/a/b', readOnly: false }],
    ['C:\\data:/data', { host: 'C:\\data', virtual: '/data', readOnly: false }],
    ['C:/data:/data:ro', { host: 'C:/data', virtual: '/data', readOnly: true }],
    ['/with:colon:/v', { host: '/with:colon', virtual: '/v', readOnly: false }],
  ])(proves('cli.environment', '%s'), (text, mount) => expect(parseMount(text)).toEqual(mount));

  it.each(['', '/tmp', '/tmp:', ':/v', '/tmp:relative', 'C:/data', 'C:\\data', '/tmp:ro'])(
    proves('cli.environment', 'rejects "%s"'),
    (text) => expect(() => parseMount(text)).toThrow('expected HOST:VIRTUAL[:ro]'),
  );

  it(proves('cli.environment', 'accepts options, separated by commas'), () => {
    const expected = { host: 'data', virtual: '/v', readOnly: true, maxBytes: 2048, maxFileBytes: 10 };
    expect(parseMount('data:/v:max=2k,ro,max-file=10')).toEqual(expected);
    for (const option of ['rw', 'RO', 'max', 'ro:max=1'])
      expect(() => parseMount(`data:/v:${option}`)).toThrow('unknown option');
    for (const size of ['', '1MB', '-1', 'x'])
      expect(() => parseMount(`data:/v:max=${size}`)).toThrow('expected a number');
  });
});

describe('--env', () => {
  const add = (text: string, sofar?: GivenVariables) => addVariable({ env: { SECRET: 'hush' } }, text, sofar);

  it(proves('cli.environment', 'splits at the first ='), () => {
    expect(add('A=b=c').values).toEqual({ A: 'b=c' });
    expect(add('EMPTY=').values).toEqual({ EMPTY: '' });
    expect(add('LINES=a\nb=c').values).toEqual({ LINES: 'a\nb=c' });
    for (const text of ['', '=x']) expect(() => add(text)).toThrow('expected NAME or NAME=VALUE');
    expect(Object.keys(add('__proto__=x', add('A=1')).values)).toEqual(['A', '__proto__']);
  });

  it(proves('cli.environment', 'takes the value of the environment, if only a name is given'), () => {
    expect(add('SECRET')).toEqual({ values: { SECRET: 'hush' }, given: [['--env', 'SECRET']] });
    expect(() => add('OTHER')).toThrow('OTHER is not set in the environment');
  });

  it(proves('cli.environment', 'provides only those variables, and lists a copy'), () => {
    const { env: variables } = createEnvironment({ env: { A: '1' } });
    const list = variables.list();
    list['A'] = '2';
    expect([variables.get('A'), variables.get('PATH'), variables.get('toString')]).toEqual(['1', undefined, undefined]);
  });
});

describe('the names of packages', () => {
  it.each(['sums', 'a', '@me/sums', 'sums.js', 'a-b_c', '3d', 'x'.repeat(214)])('%j is a name', (name) => {
    expect(isPackageName(name)).toBe(true);
    expect(suggestName(name)).toBe(name);
  });

  it.each([
    ['', 'my-functions'],
    ['日本', 'my-functions'],
    ['Sums', 'sums'],
    ['My  Sums!', 'my-sums'],
    ['café ☕', 'cafe'],
    ['.hidden', 'hidden'],
    ['_private', 'private'],
    ['--yes', 'yes'],
    ['a/b', 'a-b'],
    ['@Me/My Sums', '@me/my-sums'],
    ['@/x', 'x'],
    ['@me/', '@me/my-functions'],
    ['@a/b/c', '@a/b-c'],
    ['fs', 'my-fs'],
    ['fs/promises', 'fs-promises'],
    ['node_modules', 'my-node-modules'],
    ['favicon.ico', 'my-favicon-ico'],
    ['everywire', 'my-everywire'],
    ['TypeScript', 'my-typescript'],
    ['@types/node', 'my-types-node'],
    ['x'.repeat(215), 'x'.repeat(214)],
    [`@${'x'.repeat(200)}/${'y'.repeat(200)}`, 'my-functions'],
  ])('%j is none, and becomes %j', (text, name) => {
    expect(isPackageName(text)).toBe(false);
    expect(suggestName(text)).toBe(name);
    expect(isPackageName(name)).toBe(true);
  });

  it('a long text costs little, and is not the name', () => {
    expect(suggestName('-'.repeat(1_000_000))).toBe('my-functions');
    expect(suggestName(`@${'a'.repeat(1_000_000)}`)).toBe('a'.repeat(213));
  });
});

const no = throwing(new Error('no'));

it.each([
  ['a string', 'a string'],
  ['', 'Unknown error'],
  [undefined, 'Unknown error'],
  [5, '5'],
  [Symbol('x'), 'Symbol(x)'],
  [{ message: 'no database' }, 'no database'],
  [{ name: 'PoolError', message: 'no database', stack: 5 }, 'PoolError: no database'],
  [{ message: {} }, 'Unknown error'],
  [Object.assign(new TypeError('x'), { stack: 'TypeError: x\n    at a.js:1:1' }), 'TypeError: x\n    at a.js:1:1'],
  [new Proxy({}, { get: no }), 'Unknown error'],
  [Object.create(null), 'Unknown error'],
])('logs what was thrown, whatever it is (%#)', (thrown, text) => {
  expect(describeThrown(thrown)).toBe(text);
});

describe('a line for each call', () => {
  const lineOf = (subject: string) =>
    callLine({ step: 'answered', wire: 'http', subject, code: 'FUNCTION_NOT_FOUND', duration: 0.25 }, new Date(0));

  it(proves('log.steps', 'a caller writes no control characters, further lines or much text to the terminal'), () => {
    const line = lineOf(`\u001B[2J\u009B31m\n00:00:00 http functions.Add OK\u202E${'x'.repeat(10_000)}`);
    expect(line).not.toMatch(/[\p{C}](?!$)/u);
    expect(line.split('\n')).toHaveLength(2);
    expect(line.length).toBeLessThan(200);
  });

  it(proves('log.steps', 'names of functions stay as they are'), () => {
    expect(lineOf('functions.Größe')).toMatch(/ http functions\.Größe FUNCTION_NOT_FOUND 0\.3 ms\n$/);
  });
});

describe('a line of progress', () => {
  it.each([
    [{ done: 5, total: 10, message: 'row 5' }, 2000, 80, '[=========>          ]  50% row 5  0:02  2.5/s'],
    [{ done: 0, total: 10 }, 0, 80, '[                    ]   0%  0:00'],
    [{ done: 10, total: 10 }, 61_000, 80, '[====================] 100%  1:01  0.2/s'],
    [{ done: 20, total: 10 }, 0, 80, '[====================] 100%  0:00'],
    [{ done: 1234, message: 'rows' }, 1000, 80, '1234 rows  0:01  1234/s'],
    [{ done: 5, total: 0 }, 0, 80, '5  0:00'],
    [{ done: 5, total: 10, message: 'a long message' }, 0, 30, ' 50% a long message  0:00'],
    [{ done: 5, total: 10, message: 'a long message' }, 0, 20, ' 50% a long m…  0:00'],
    [{ done: 5, total: 10, message: '進捗状況' }, 0, 17, ' 50% 進捗…  0:00'],
    [{ done: 1, message: 'a\n\u001b[31mb\tc' }, 0, 80, '1 a [31mb c  0:00'],
  ] as const)(proves('stream.progress', '%j after %i ms in %i columns'), (progress, elapsed, columns, line) => {
    expect(progressLine(progress, elapsed, columns)).toBe(line);
  });

  it.each([
    ['task 1', 2000, 80, 'task 1  0:02'],
    ['a task with a long name', 61_000, 12, 'a tas…  1:01'],
    ['a\u001b[31mb', 0, 80, 'a [31mb  0:00'],
    ['task', 0, 4, '0:00'],
    ['task', 0, 2, '0:'],
  ] as const)(proves('stream.progress', 'without any: %j after %i ms, %i columns'), (what, elapsed, columns, line) => {
    expect(waitLine(what, elapsed, columns)).toBe(line);
  });

  it(proves('stream.progress', 'is one line that fits, and has no control characters'), () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.record({ done: number, total: number, message: fc.string({ unit: 'binary' }) }, { requiredKeys: ['done'] }),
        fc.nat(10_000_000),
        fc.integer({ min: 1, max: 200 }),
        (progress, elapsed, columns) => {
          const line = progressLine(progress as { done: number }, elapsed, columns);
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        },
      ),
    );
  });
});

vi.mock('../../src/bin/dev/file-state.ts');
afterEach(() => vi.useRealTimers());

const settle = async () => {
  for (let i = 0; i < 20; i++) await turn();
};

it('one change is reported once, however many looks waited for a slow one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] });
  const stateWith = (content: string) => ({ mark: content, content: `file ${content}`, changedAt: 0 });
  let content = 'old';
  const answers: (() => void)[] = [];
  vi.mocked(stateOf).mockImplementation(async () => stateWith(content));
  const changes: (readonly string[])[] = [];
  const watcher = new FileWatcher((changed) => void changes.push(changed));
  await watcher.add(['/nowhere/a.ts']);
  const slow = stateWith('old');
  vi.mocked(stateOf).mockImplementationOnce(() => new Promise((resolve) => void answers.push(() => resolve(slow))));
  vi.advanceTimersByTime(1000); // this look takes long
  await settle();
  vi.advanceTimersByTime(3000); // and these wait for it
  content = 'new';
  answers[0]!();
  await settle();
  expect(changes).toEqual([['/nowhere/a.ts']]);
  watcher.close();
});

it('a client that leaves while its request is read leaves no connection to the version', async () => {
  const sockets: Socket[] = [];
  const connect = async () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  const server = createServer().listen(0);
  await once(server, 'listening');
  const options = { port: (server.address() as AddressInfo).port, method: 'POST', headers: { 'content-length': 9 } };
  const sent = request(options);
  sent.on('error', () => {});
  sent.write('half');
  const [received, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const attached = new Listener(received, response).attach({ connect } as unknown as VersionProcess, () => {});
  sent.destroy();
  await expect(attached).rejects.toThrow('aborted');
  expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
  server.close();
});

const ALIASES = {
  'its own, with comments': '{\n  // short names\n  "compilerOptions": { "paths": { "@/*": ["./src/*"], } } }',
  'of a configuration that it extends': '{ "extends": "./base" }',
};

it.each(Object.entries(ALIASES))('imports through `paths` of tsconfig.json: %s', (_what, config) => {
  const folder = temporaryFolder('imported-files');
  mkdirSync(join(folder, 'src/lib'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('base.json', '{ "compilerOptions": { "baseUrl": "src", "paths": { "@/*": ["*"] } } }');
  write('tsconfig.json', config);
  write('app.ts', "import '@/lib/there';\nimport '@/lib/created';\nimport 'zod';\nimport 'node:fs';\n");
  write('src/lib/there.ts', "import './next.ts';\n");
  write('src/lib/next.ts', '');
  const found = importedFiles([join(folder, 'app.ts')]);
  const names = ['there.ts', 'next.ts', 'created.ts', 'created/index.ts'];
  expect(found).toEqual(expect.arrayContaining(names.map((name) => join(folder, 'src/lib', name))));
  expect(found.filter((path) => /zod|node:fs/.test(path))).toEqual([]);
});
