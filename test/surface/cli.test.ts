import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createApp, defineFunction, forms } from 'everywire';
import { describe, expect, it } from 'vitest';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { appCommand, command } from '../kit/command.ts';
import { shownBy } from '../kit/on-terminal.ts';
import { startServing } from '../kit/served.ts';
import { parseCgi, runCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';

expectErrors(
  /^error: (?:unhandled rejection: (?:nobody awaited this|Unknown error)|uncaught: thrown from a (?:listener|timer))/,
);

const EVERYWIRE = 'dist/bin/everywire.js';
const APP = 'examples/calculator/app.ts';

const everywire = (...args: readonly string[]) => command(args);
const calculator = (...args: readonly string[]) => appCommand(APP, args, { name: 'calculator' });
const asProcess = (...args: readonly string[]) => run([EVERYWIRE, ...args]);

/** Runs the command on a pseudo-terminal; returns stdout and stderr together. */
const onTerminal = (line: string) => shownBy(`node ${EVERYWIRE} ${line}`);

describe.concurrent('flags', () => {
  it(proves('cli.input', '--input - reads stdin, and explains what is no JSON there'), async () => {
    const add = (input: string) => appCommand(APP, ['add', '--input', '-'], { input });
    expect((await add('{"x":1,"y":2}')).stdout).toBe('{"result":3}');
    expect((await add('{"x":1,\n2}')).stderr).toContain('stdin, line 2, column 1: unexpected "2"\n  2}\n  ^\n');
  });

  it.each([
    ['{x:1}', '--input, line 1, column 2: unexpected "x"\n  {x:1}\n   ^\n'],
    ['{"x":1,\n"y":}', '--input, line 2, column 5: unexpected "}"\n  "y":}\n      ^\n'],
    ['{"x":1', '--input, line 1, column 7: unexpected end\n  {"x":1\n        ^\n'],
    ['nofile.json', '--input takes JSON, or @ and the name of a file; there is no file nofile.json\n'],
    ['package.json', '--input takes JSON; to read a file, use: --input @package.json\n'],
    ['@README.md', 'README.md, line 1, column 1: unexpected "#"\n  # everywire\n  ^\n'],
  ])(proves('cli.input', 'what is no JSON is explained: %s'), async (input, hint) => {
    const { stdout, stderr, code } = await calculator('add', '--input', input);
    expect([stdout, code]).toEqual(['{"error":"Invalid JSON body"}', 2]);
    expect(stderr).toBe(`error: Invalid JSON body (INVALID_JSON)\n${hint}`);
  });

  it(proves('cli.input', '--input @file reads a file, up to the limit'), async () => {
    const large = `{"x": 1, "y": "${'2'.repeat(2 ** 20)}"}`;
    const folder = temporaryFolder('input', { 'arguments.json': '{"x": 1, "y": 2}', 'large.json': large });
    const add = (file: string) => calculator('add', '--input', `@${join(folder, file)}`, '--y', '5');
    expect((await add('arguments.json')).stdout).toBe('{"result":6}');
    expect((await add('large.json')).stdout).toBe('{"error":"The body is larger than 1048576 bytes"}');
    expect(await add('none.json')).toEqual({
      stdout: `{"error":"--input: no such file: ${join(folder, 'none.json')}"}`,
      stderr: `error: --input: no such file: ${join(folder, 'none.json')} (INVALID_ARGUMENTS)\n`,
      code: 2,
    });
    expect((await add('')).stdout).toContain('--input: not a file: ');
    expect((await calculator('add', '--input', '@')).stdout).toContain('--input: no such file: (no name after @)');
  });

  it(proves('cli.environment', '--env and --mount reach the function'), async () => {
    const folder = temporaryFolder('mount');
    const environment = ['--env', 'DEBUG=true', '--mount', `${folder}:/`];
    const { stdout } = await calculator('add', '--x', '1', '--y', '1', ...environment);
    expect(readFileSync(join(folder, 'debug.log'), 'utf8')).toBe('Adding 1 + 1\n');
    expect(stdout).toBe('{"result":2}');
    const unset = await appCommand(APP, ['add', '--x', '1', '--y', '1'], { env: { DEBUG: 'true' } });
    expect(unset.stderr).toBe('');
  });

  it(proves('cli.environment', '--env before the module reaches the function too'), async () => {
    const { stderr, code } = await everywire('call', '--env', 'DEBUG=true', APP, 'Add', '--x', '1', '--y', '1');
    expect(stderr).toContain('Outside of every mount: /debug.log (FORBIDDEN)');
    expect(code).toBe(1);
  });

  it.each([['call', 'Add'], ['mcp'], ['serve'], ['openapi']])(
    proves('cli.environment', '%s refuses what does not parse'),
    async (name, ...more) => {
      for (const [flag, value, message] of [
        ['--env', 'NOVALUE', 'NOVALUE is not set in the environment; set it, or use NOVALUE=<value>'],
        ['--mount', 'C:/data', 'expected HOST:VIRTUAL[:ro]'],
        ['--mount', '/no/such/folder:/', 'no such folder: /no/such/folder'],
      ] as const) {
        const { stderr, code } = await everywire(name, APP, ...more, flag, value);
        expect([stderr, code]).toEqual([expect.stringContaining(message), 2]);
      }
    },
  );
});

describe.concurrent('declared variables', () => {
  const APP_WITH = 'test/apps/variables.ts';
  const NEEDS =
    "Tickets needs the variable TICKETS_DB (The database): --env TICKETS_DB=<value>, or env: { TICKETS_DB: '…' } in code";
  const HELP =
    /\nVariables \(--env\):\n {2}TICKETS_DB {9}The database\n {2}TICKETS_LANGUAGE\? {2}Of messages \(default: "en"\)\n/;

  it.each([
    ['serve', 1, `error: ${NEEDS}\n`, '--port', '0'],
    ['mcp', 1, `error: ${NEEDS}\n`],
    ['parity', 2, `error: ${NEEDS}\n`],
    ['mcp-config', 0, expect.stringContaining(`warning: ${NEEDS}\n`)],
    ['call', 2, `error: ${NEEDS} (INVALID_ARGUMENTS)\nSee everywire call ${APP_WITH} where --help\n`, 'Where'],
    ['openapi', 0, ''],
    ['schema', 0, ''],
  ])(proves('env.declared', '%s without one'), async (name, code, stderr, ...more) => {
    const ran = await everywire(name, APP_WITH, ...(more as string[]));
    expect([ran.stderr, ran.code]).toEqual([stderr, code]);
  });

  it(proves('env.declared', 'are in help and in the schema, and a call that brings them runs'), async () => {
    expect((await everywire('call', APP_WITH, '--help')).stdout).toMatch(HELP);
    expect((await everywire('call', APP_WITH, 'Where', '--help')).stdout).toMatch(HELP);
    expect((await appCommand(APP_WITH, ['--help'])).stdout).toMatch(HELP);
    const { env } = JSON.parse((await everywire('schema', APP_WITH, '--json')).stdout);
    expect(env).toMatchObject({ TICKETS_DB: { description: 'The database' }, TICKETS_LANGUAGE: { default: 'en' } });
    const called = await everywire('call', APP_WITH, 'Where', '--env', 'TICKETS_DB=a.db');
    expect([called.stdout, called.stderr]).toEqual(['{"result":"a.db in en"}', '']);
  });
});

describe.concurrent('answers', () => {
  it(proves('cli.exact', 'a body longer than a pipe holds'), async () => {
    const text = 'a'.repeat(900_000);
    const { stdout } = await run(
      [EVERYWIRE, 'call', 'test/apps/arguments.ts', 'Text', '--input', '-'],
      Buffer.from(JSON.stringify({ text })),
    );
    expect(stdout).toBe(JSON.stringify({ result: { text } }));
  });

  it(proves('failure.any-throw', 'of a function that leaves a rejection behind, or throws from a timer'), async () => {
    const rejected = await asProcess('call', 'test/apps/hostile.ts', 'Stray');
    expect([rejected.stdout, rejected.code]).toEqual(['{"result":"ok"}', 0]);
    expect(rejected.stderr).toMatch(/error: unhandled rejection: nobody awaited this\n +at .*hostile/);
    const thrown = await asProcess('call', 'test/apps/hostile.ts', 'Timer');
    expect([thrown.stdout, thrown.code]).toEqual(['{"error":"thrown from a timer"}', 70]);
  });

  it(proves('failure.floating', 'also in the turn of the answer, without frames of ours'), async () => {
    const hostile = 'test/apps/hostile.ts';
    const request = { REQUEST_METHOD: 'POST', PATH_INFO: '/StrayNow', CONTENT_LENGTH: '0' };
    const [called, answered] = await Promise.all([
      asProcess('call', hostile, 'StrayNow'),
      runCgi([EVERYWIRE, 'cgi', hostile], request),
    ]);
    expect([called.stdout, called.code]).toEqual(['{"result":"ok"}', 0]);
    expect(parseCgi(answered.stdout)).toMatchObject({ status: 200, body: '{"result":"ok"}' });
    for (const { stderr } of [called, answered])
      expect(stderr).toMatch(/^error: unhandled rejection: nobody awaited this\n( +at .*hostile\.ts\S*\n)+$/);
  });

  const WEATHER = 'examples/weather/app.ts';
  it.each([
    ['one value', `${APP} Add --x 1 --y 2`, '3\n'],
    ['several values', `${APP} DivMod --x 17 --y 5`, 'Quotient:  3\nRemainder: 2\n'],
    ['none', `${APP} Reset`, 'Done.\n'],
    [
      'an object, aligned',
      `${WEATHER} GetWeather --location Oslo`,
      'location:    Oslo\ntemperature: 5\nconditions:  Cloudy\nhumidity:    78\nwindSpeed:   3.4\n',
    ],
    ['a list', `${WEATHER} ListLocations --warmerThan 10`, '- Lisbon\n- Kyoto\n'],
    ['the body, with --json', `${APP} Add --x 1 --y 2 --json`, '{"result":3}\n'],
    ['the body, with --profile', `${APP} Add --x 1 --y 2 --profile status`, '{"status":"SUCCESS","data":3}\n'],
  ])(proves('cli.readable', '%s, on a terminal'), async (_title, line, screen) => {
    expect(await onTerminal(`call ${line}`)).toBe(screen);
  });

  it(proves('profile.cli', 'mistakes in the flags are rendered in the requested profile'), async () => {
    const wrong = await everywire('call', APP, 'Add', '--z', '1', '--profile=status');
    expect(JSON.parse(wrong.stdout)).toMatchObject({ status: 'ERROR', error: { code: 'INVALID_ARGUMENTS' } });
    expect(wrong.code).toBe(2);
    const nowhere = await everywire('call', APP, 'Nowhere', '--profile', 'problem');
    expect(JSON.parse(nowhere.stdout)).toMatchObject({ status: 404, code: 'FUNCTION_NOT_FOUND' });
    const unknown = await everywire('call', APP, 'Reset', '--profile', 'xml');
    expect(unknown.stdout).toContain('Allowed choices are plain, envelope, status, problem, mcp.');
    expect(unknown.code).toBe(2);
  });

  it(proves('profile.describe', "on a terminal the answer is in the function's own words"), async () => {
    expect(await onTerminal('call test/apps/profiles.ts ListInstances')).toBe('2 instances are known\n');
  });

  it(proves('cli.readable', 'a failure, in red on a terminal and without colour elsewhere'), async () => {
    const divide = `call ${APP} Divide --dividend 1 --divisor 0`;
    expect(await onTerminal(divide)).toBe('\u001b[31merror:\u001b[39m Cannot divide by zero (DIVISION_BY_ZERO)\n');
    expect(await everywire(...divide.split(' '))).toEqual({
      stdout: '{"error":"Cannot divide by zero"}',
      stderr: 'error: Cannot divide by zero (DIVISION_BY_ZERO)\n',
      code: 1,
    });
  });
});

describe.concurrent('labels on stderr', () => {
  const WARNING = 'claude-desktop and claude-code reject tool names with a dot; for them, use --names portable';

  it(proves('cli.labels', 'mcp prints nothing when a client starts it, and a warning on a terminal'), async () => {
    expect(await asProcess('mcp', APP)).toEqual({ stdout: '', stderr: '', code: 0 });
    const discarded = await promisify(execFile)('bash', ['-c', `node ${EVERYWIRE} mcp ${APP} < /dev/null > /dev/null`]);
    expect(discarded.stderr).toBe('');
    const screen = await onTerminal(`mcp ${APP} < /dev/null`);
    expect(screen).toBe(`\u001b[33mwarning:\u001b[39m ${WARNING}\n`);
  });

  it(proves('cli.labels', 'mcp-config warns where the client is not known'), async () => {
    const generic = await everywire('mcp-config', APP);
    expect(generic.stderr).toBe(`For the configuration of your MCP client:\nwarning: ${WARNING}\n`);
    const known = await everywire('mcp-config', APP, '--for', 'claude-desktop');
    expect(known.stderr).toBe('For claude_desktop_config.json:\n');
  });
});

describe.concurrent('help', () => {
  it(proves('cli.help', 'of a function: every parameter with its description, and an example that works'), async () => {
    const { stdout, code } = await calculator('statistics', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/--values <number>\s+The numbers \(required, repeatable, at least 1\s+item\)/);
    expect(stdout).toMatch(/--measure <mean\|median\|sum>\s+What to compute \(default: "mean"\)/);
    expect(stdout).toMatch(/--round\.digits <integer>\s+Digits after the point/);
    const example = /\$ calculator (.*)$/m.exec(stdout)?.[1]?.split(' ') ?? [];
    expect((await calculator(...example)).stdout).toBe(
      '{"result":{"measure":"mean","value":2.3,"count":3,"memory":0}}',
    );
  });

  it.each([
    ['--help', /^everywire v\d+\.\d+\.\d+ \w+\n/],
    [`call ${APP} --help`, /^Calculator v1\.0\.0 [\s\S]+div-mod/],
    [`call ${APP}`, /Adds two integers together/],
    ['serve --help', /--port <number>/],
    ['call --help', /<module>/],
    ['openapi --help', /--openapi-version/],
    [`call ${APP} add --help`, /^Calculator v1\.0\.0 \(based on everywire /],
  ])(proves('cli.help', 'everywire %s'), async (line, text) => {
    expect((await everywire(...line.split(' '))).stdout).toMatch(text);
  });

  it(proves('cli.help', 'of an app, for a command of ours'), async () => {
    expect((await calculator('complete', '--help')).stdout).toContain('Usage: calculator complete');
  });

  it.each([
    ['call % ad --x 1', '{"error":"Function not found: ad"}', 'Did you mean add?', 127],
    [
      'call % statistics --valeus 1',
      `{"error":"unknown option '--valeus' (Did you mean --values?)"}`,
      'mean --values?',
      2,
    ],
    ['call % add --x --y 1', '{"error":"--x needs a value"}', '', 2],
    ['call % add 1 2', '{"error":"arguments are given by flags, or as JSON with --input"}', '', 2],
    ['call % add --x 1', '{"error":"Invalid arguments: /y: required, expected integer"}', ' add --help', 2],
    ['schema % Nope', '', 'No function Nope; there are Add, Divide', 1],
    [`audit ${APP}`, '', `is a module; to check it, start it: everywire audit -- npx everywire mcp ${APP}`, 2],
    ['call http://127.0.0.1:8080 Add', '', 'name a .ts, .js or .mjs file, or a folder', 1],
    ['call % --env A=b Add --x 1', '', 'expected a function, got --env; options come after its name', 2],
    ['srve %', '', 'Did you mean serve?', 2],
    ['serve', '', 'See everywire serve --help', 2],
  ])(proves('cli.suggests', 'after a misuse: %s'), async (line, stdout, hint, code) => {
    const ran = await everywire(...line.replace('%', APP).split(' '));
    expect(ran).toEqual({ stdout, stderr: expect.stringContaining(hint), code });
  });
});

describe.concurrent('modules', () => {
  const module = (code: string) => {
    const text = `import { createApp } from '${process.cwd()}/dist/index.js';\n${code}`;
    return join(temporaryFolder('cli', { 'app.mjs': text }), 'app.mjs');
  };

  it.each([
    ['nowhere.ts', 'No such module: nowhere.ts'],
    ['examples/weather/ap.ts', 'No such module: examples/weather/ap.ts (did you mean examples/weather/app.ts?)'],
    [
      './examples/weather/app.js',
      'No such module: ./examples/weather/app.js (did you mean ./examples/weather/app.ts?)',
    ],
    ['examples/calculatr/app', 'No such module: examples/calculatr/app'],
    ['exmples', 'No such module: exmples (did you mean examples?)'],
    ['Add', 'No such module: Add; name a .ts, .js or .mjs file, or a folder'],
    ['README.md', 'README.md is not a module; expected a .ts, .js or .mjs file'],
  ])(proves('cli.exit', 'that cannot be served: %s'), async (name, message) => {
    expect(await everywire('serve', name)).toEqual({ stdout: '', stderr: `error: ${message}\n`, code: 1 });
  });

  it(proves('cli.exit', 'whose function is called like a command of ours'), async () => {
    const file = module(`
      const functions = [{ name: 'Serve', description: 'Tennis', run() {} }];
      await createApp({ name: 'S', version: '1', functions }).run(process.argv);`);
    expect((await run([file, '--help'])).stdout).toMatch(/serve \[options\] +serve the functions/);
    expect((await run([file, 'call', 'Serve'])).stdout).toBe('{}');
  });

  it(proves('cli.exit', 'whose reader stops reading'), async () => {
    const { stderr } = await promisify(execFile)('bash', ['-c', `node ${EVERYWIRE} call ${APP} --help | head -n 1`]);
    expect(stderr).toBe('');
  });

  it(proves('cli.labels', 'whose log is read by a person: no frames of ours, no control characters'), async () => {
    const file = module(`
      const run = async (_, { log }) => {
        log.info('hello', { who: 'a b', n: 1n });
        await 1;
        throw new TypeError('no\\x1b[2J\\nerror: x');
      };
      export default createApp({ name: 'L', version: '1', functions: [{ name: 'Log', description: 'Logs', run }] });`);
    const screen = await shownBy(`cd ${dirname(file)}; node ${resolve(EVERYWIRE)} call app.mjs Log`, {
      NO_COLOR: '1',
    });
    expect(screen.replaceAll(/\d\d:\d\d:\d\d/g, 'T').replaceAll(/(request|error)Id=[\w-]+/g, '$1Id=I')).toBe(`\
T info: hello operationId=functions.Log requestId=I who="a b" n="1"
T error: TypeError: no\\x1b[2J
    error: x code=INTERNAL_ERROR operationId=functions.Log requestId=I errorId=I
    at Object.run (app.mjs:6:15)
error: no?[2J
error: x (INTERNAL_ERROR)
`);
  });

  it(proves('cli.exit', 'and a port that is taken'), async () => {
    const served = await startServing(APP);
    const { stderr, code } = await asProcess('serve', APP, '--port', new URL(served.url).port);
    await served.stop();
    expect(stderr).toMatch(/^error: port \d+ is in use; choose another with --port\n$/);
    expect(code).toBe(1);
    expect((await everywire('serve', APP, '--port', 'eighty')).stderr).toContain('expected a number from 0 to 65535');
  });

  it(proves('failure.any-throw', 'and a server whose functions throw outside of their calls'), async () => {
    const served = await startServing('test/apps/hostile.ts');
    for (const name of ['Stray', 'StrayNothing', 'BadListener', 'Timer', 'Stray']) {
      await fetch(`${served.url}/functions/${name}`, { method: 'POST' });
    }
    expect((await fetch(`${served.url}/healthz`)).status).toBe(200);
    expect(await served.stop()).toBe(0);
    expect(served.stderr()).toContain('SIGTERM: finishing the calls in progress');
    expect(served.stderr()).toMatch(/uncaught: thrown from a listener\n +at .*hostile/);
    expect(served.stderr()).toContain('unhandled rejection: Unknown error');
  });

  it(proves('openapi.document', 'and their document, for a server and a version of choice'), async () => {
    const { stdout } = await calculator('openapi', '--openapi-version', '3.0', '--server', 'https://api.example');
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.0.3', servers: [{ url: 'https://api.example' }] });
    const types = (text: string) => Object.keys(JSON.parse(text).paths['/functions/Add'].post.responses['200'].content);
    expect(types(stdout)).toEqual(['application/json']);
    expect(types((await calculator('openapi', '--profiles', 'all')).stdout)).toHaveLength(5);
    expect((await calculator('openapi', '--profiles', 'some')).stderr).toContain('own, all');
  });
});

describe.concurrent('the table of flags in the docs', () => {
  const shape = (kind: string) => ({
    type: 'object',
    properties: { kind: { const: kind }, size: { type: 'number' } },
    required: ['kind'],
  });
  const app = createApp({
    name: 'Flags',
    version: '1.0.0',
    functions: [
      defineFunction({
        name: 'Echo',
        description: 'Returns its arguments',
        input: {
          type: 'object',
          properties: {
            x: { type: 'number' },
            loudly: { type: 'boolean' },
            values: { type: 'array', items: { type: 'number' } },
            tags: { type: 'array', items: { type: 'string' } },
            round: { type: 'object', properties: { digits: { type: 'integer' }, mode: { type: 'string' } } },
            photo: forms.file,
            key: forms.bytes,
            at: forms.date,
            data: {},
            shape: { oneOf: ['circle', 'square'].map(shape) },
            some: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
          },
        },
        output: { type: 'string' },
        async run(input) {
          const { photo, key, ...others } = input as { readonly photo?: File; readonly key?: Uint8Array };
          const read = {
            ...(photo && { photo: await photo.text() }),
            ...(key && { key: new TextDecoder().decode(key) }),
          };
          return JSON.stringify({ ...others, ...read });
        },
      }),
      defineFunction({
        name: 'Bytes',
        description: 'Returns bytes',
        output: forms.bytes,
        run: () => new Uint8Array([0, 255, 10]),
      }),
    ],
  });
  const words = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const echo = async (line: string) => {
    const cwd = temporaryFolder('flags', { 'cat.png': 'a cat', 'key.bin': 'a key' });
    const { stdout, code } = await appCommand(app, ['echo', ...words(line)], { cwd, input: 'from stdin' });
    const { result, error } = JSON.parse(stdout) as { readonly result: string; readonly error: string };
    return code === 0 ? (JSON.parse(result) as unknown) : error;
  };

  const MEANT: Readonly<Record<string, unknown>> = {
    '--x 10': { x: 10 },
    '--loudly': { loudly: true },
    '--no-loudly': { loudly: false },
    '--loudly=true': { loudly: true },
    '--loudly=false': { loudly: false },
    '--at 2026-01-31T12:00:00Z': { at: '2026-01-31T12:00:00.000Z' },
    '--values 1 --values 2': { values: [1, 2] },
    "--values '[1,2]'": { values: [1, 2] },
    '--round.digits 2': { round: { digits: 2 } },
    [`--round '{"digits":2}'`]: { round: { digits: 2 } },
    '--photo @cat.png': { photo: 'a cat' },
    '--photo @-': { photo: 'from stdin' },
    '--key aGVsbG8=': { key: 'hello' },
    '--key @key.bin': { key: 'a key' },
    '--key @-': { key: 'from stdin' },
    [`--data '{"digits":2}'`]: { data: { digits: 2 } },
    '--data 10': { data: '10' },
    [`--shape '{"kind":"circle","size":2}'`]: { shape: { kind: 'circle', size: 2 } },
  };

  it(proves('cli.flags', 'every flag in it does what it says'), async () => {
    const page = readFileSync('docs/command-line.md', 'utf8');
    const [, table = ''] = page.match(/\| parameter \| flag \|\n\|[- |]+\|\n((?:\|.*\|\n)+)/) ?? [];
    const lines = [...table.matchAll(/`(--[^`]+)`/g)].map(([, line]) => line!);
    expect(lines.toSorted()).toEqual(Object.keys(MEANT).toSorted());
    for (const line of lines) expect([line, await echo(line)]).toEqual([line, MEANT[line]]);
  });

  it.each([
    ['--x -20', { x: -20 }],
    ['--x=1.5', { x: 1.5 }],
    ['--x abc', 'Invalid arguments: /x: expected number, got "abc"'],
    [`--input '{"x":1,"loudly":true}' --x 5`, { x: 5, loudly: true }],
    ['--x 1 --x 2', 'Invalid arguments: /x: given 2 times, expected number'],
    ['--loudly --no-loudly', 'Invalid arguments: /loudly: given 2 times, expected boolean'],
    [`--round '{"digits":2}' --round.mode up`, 'Invalid arguments: /round: given as a value and as an object'],
    [`--round '{"digits":"a"}'`, 'Invalid arguments: /round/digits: expected integer, got "a"'],
    ['--shape.kind circle', "unknown option '--shape.kind' (--shape takes JSON: --shape '{…}')"],
    ['--x.y 1', "unknown option '--x.y'"],
    ['--key @none.bin', 'Invalid arguments: /key: cannot read "none.bin"'],
    ['--some a --some b', { some: ['a', 'b'] }],
    ['--some a', { some: 'a' }],
    [`--tags '["a","b"]'`, { tags: ['a', 'b'] }],
    ['--at 2026', 'Invalid arguments: /at: expected string (date-time) such as 2026-01-31T12:00:00Z, got "2026"'],
    [
      '--round.digits 9007199254740993',
      'Invalid arguments: /round/digits: expected integer of at most ±9007199254740991 (larger integers are not exact as ' +
        'JSON numbers; send them as strings if the schema allows it), got "9007199254740993"',
    ],
  ])(proves('cli.flags', 'beyond it: %s'), async (line, meant) => {
    expect(await echo(line)).toEqual(meant);
  });

  it(proves('cli.flags', '--out writes returned bytes as they are'), async () => {
    const cwd = temporaryFolder('bytes');
    expect((await appCommand(app, ['bytes', '--out', 'some.bin'], { cwd })).code).toBe(0);
    expect([...readFileSync(join(cwd, 'some.bin'))]).toEqual([0, 255, 10]);
  });
});
