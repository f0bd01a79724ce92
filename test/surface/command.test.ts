import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtModule } from '../kit/built.ts';
import { run } from '../wires/cli.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const RESTLESS = 'test/apps/restless.ts';

/** The app as a command: its source, its build, and a script that calls app.run. */
const forms = [
  ['from source', async () => ['node', EVERYWIRE, 'call', RESTLESS]],
  ['built', async () => ['node', await builtModule(RESTLESS)]],
  ['with app.run', async () => ['QUIET=1', 'node', script(`import app from '${await builtModule(RESTLESS)}';`)]],
] as const;

function script(before: string): string {
  const file = join(temporaryFolder('command'), 'restless.mjs');
  writeFileSync(file, `${before}\nawait app.run(process.argv);\n`);
  return file;
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs a line of bash. A command that does not end is killed; its code is -1. */
function shell(line: string, env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((done) => {
    const options = { env: { ...process.env, ...env }, timeout: 30_000, killSignal: 'SIGKILL' } as const;
    execFile('bash', ['-c', line], options, (error, stdout, stderr) =>
      done({ stdout, stderr, code: error?.killed ? -1 : Number(error?.code ?? 0) }),
    );
  });
}

describe.concurrent.each(forms)('stdout carries the body and nothing else, %s', (_form, command) => {
  const PRINTED = ['by console.log', 'by process.stdout', 'by the descriptor', 'by a child', 'by a grandchild'];
  const body = '{"result":"done"}';

  it.each([
    ['both are files', (call: string, at: string) => `${call} > ${at}/out 2> ${at}/err`],
    ['stdout is a file', (call: string, at: string) => `${call} > ${at}/out 2> >(cat > ${at}/err); wait $!`],
    ['stderr is a file', (call: string, at: string) => `${call} 2> ${at}/err | cat > ${at}/out`],
    ['a log is appended to', (call: string, at: string) => `${call} 2>> ${at}/err >> ${at}/out`],
    ['both are pipes', (call: string, at: string) => `${call} 2> >(cat > ${at}/err) | cat > ${at}/out; wait $!`],
  ])(proves('cli.exact', 'where %s'), async (_title, redirect) => {
    const at = temporaryFolder('redirect');
    const { code } = await shell(redirect(`${(await command()).join(' ')} print --json`, at));
    expect([readFileSync(join(at, 'out'), 'utf8'), code]).toEqual([body, 0]);
    const printed = readFileSync(join(at, 'err'), 'utf8');
    for (const words of PRINTED) expect(printed).toContain(`printed ${words}`);
  });

  it(proves('cli.exact', 'where others write to the same file, before and after'), async () => {
    const at = temporaryFolder('redirect');
    const call = (await command()).join(' ');
    await shell(`{ echo first; ${call} print; echo; echo last; } > ${at}/out 2> /dev/null`);
    expect(readFileSync(join(at, 'out'), 'utf8')).toBe(`first\n${body}\nlast\n`);
  });

  it(proves('cli.exact', 'on a terminal, with --json and stderr in a file'), async () => {
    const at = temporaryFolder('redirect');
    const call = (await command()).join(' ');
    const { stdout } = await shell(`script -qec '${call} print --json 2> ${at}/err' /dev/null < /dev/null`);
    expect(stdout).toBe(`${body}\r\n`);
    for (const words of PRINTED) expect(readFileSync(join(at, 'err'), 'utf8')).toContain(`printed ${words}`);
  });
});

describe.concurrent('documents into a file', () => {
  it.each([
    ['openapi', /^\{\n\s+"openapi"/],
    ['mcp-config', /^\{\n\s+"mcpServers"/],
  ])(proves('cli.exact', '%s'), async (word, begins) => {
    const at = temporaryFolder('redirect');
    await shell(`node ${EVERYWIRE} ${word} ${RESTLESS} > ${at}/out 2> ${at}/err`);
    const text = readFileSync(join(at, 'out'), 'utf8');
    expect(text).toMatch(begins);
    expect(() => void JSON.parse(text)).not.toThrow();
    expect(readFileSync(join(at, 'err'), 'utf8')).toContain('printed by a child while loading');
  });
});

describe.concurrent.each(forms)('a call is answered once, %s', (_form, command) => {
  const call = async (line: string, env?: Record<string, string>) =>
    shell(`${(await command()).join(' ')} ${line}`, env);

  it.each(['exit', 'exit --code 3'])(proves('cli.always', 'though the function ends the process: %s'), async (line) => {
    const { stdout, stderr, code } = await call(`${line} --json`);
    expect([stdout, code]).toEqual(['{"error":"The function ended the process before it returned"}', 70]);
    expect(stderr).toContain('error: The function ended the process before it returned (INTERNAL_ERROR)');
  });

  it(proves('cli.always', 'though it throws in a later tick, in the profile that was asked for'), async () => {
    const { stdout, stderr, code } = await call('late --profile status');
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'ERROR',
      error: { code: 'INTERNAL_ERROR', message: 'SECRET thrown later' },
    });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^error: uncaught: SECRET thrown later\n +at /m);
  });

  it(proves('cli.always', 'which is masked in production, and logged'), async () => {
    const { stdout, stderr, code } = await call('late', { NODE_ENV: 'production' });
    const [, id] = /^\{"error":"Something went wrong \(error id ([\w-]+)\)"\}$/.exec(stdout) ?? [];
    expect([id?.length, code]).toEqual([36, 70]);
    expect(stderr).toContain(`uncaught (error id ${id}): SECRET thrown later\n    at `);
  });

  it.each([
    ['a socket', ''],
    ['a pipe', '| cat'],
    ['a file', '> $AT/out; code=$?; cat $AT/out; exit $code'],
  ])(proves('cli.always', 'and not again for what is thrown later, into %s'), async (_title, to) => {
    const { stdout } = await call(`after ${to}`, { AT: temporaryFolder('after') });
    expect(stdout.replace(/a{300000}/, '…')).toMatch(/^\{"result":"…"\}$|^\{"error":"thrown after the answer"\}$/);
  });
});

describe.concurrent('a function that never returns', () => {
  it.each([
    ['from source', async () => [EVERYWIRE, 'call', 'test/apps/never.ts', 'Never']],
    ['built', async () => [await builtModule('test/apps/never.ts'), 'never']],
    ['built as CommonJS', async () => [await builtModule('test/apps/never.ts', 'cjs'), 'never']],
    ['with app.run', async () => [script(`import app from '${await builtModule('test/apps/never.ts')}';`), 'never']],
  ])(proves('cli.always', 'is answered, %s'), async (_form, command) => {
    const { stdout, stderr, code } = await run(await command());
    expect([stdout, code]).toEqual(['{"error":"The function never returned"}', 70]);
    expect(stderr).toBe('error: The function never returned (INTERNAL_ERROR)\n');
  });
});

describe.concurrent('commands end, though the app holds a timer and a socket', () => {
  const own = [
    '--help',
    '--version',
    '',
    'print --help',
    'call',
    'call --help',
    'complete bash',
    'complete nosuchshell',
    'complete -- print --',
    'nosuchfunction',
    'print --nosuchflag',
    '--nosuchoption',
    'call --json',
    'serve --help',
    'serve --nosuchoption',
    'serve --port 1x',
    'serve --host 203.0.113.1',
    'openapi',
    'openapi --nosuchoption',
    'containerize',
    'containerize --dockerfile-only nosuchmodule.ts',
    'cgi',
    'mcp --nosuchoption',
  ];

  it.each(
    own.flatMap((line, i) => forms.slice(1, i < 6 ? 3 : 2).map(([form, command]) => [line, form, command] as const)),
  )(proves('cli.ends', 'app %s, %s'), async (line, _form, command) => {
    const at = temporaryFolder('ends');
    const { code } = await shell(`cd ${at}; ${(await command()).join(' ')} ${line}`);
    expect(code).not.toBe(-1);
  });

  const named = [
    'call %',
    'call % --help',
    'call % Print --help',
    'call % NoSuch',
    'call % --nosuch',
    'openapi %',
    'mcp-config %',
    'containerize % --dockerfile-only',
    'containerize %',
    'serve % --host 203.0.113.1',
    'complete -- call % ""',
    'serve %',
    'cgi %',
  ];

  it.each(named)(proves('cli.ends', 'everywire %s'), async (line) => {
    const at = temporaryFolder('ends');
    const typed = line.replace('%', resolve(RESTLESS));
    // `serve` runs until it gets a signal. `cgi` without a web server prints what it is for.
    const stop = line === 'serve %' ? 'timeout --signal=TERM 5 ' : '';
    const { code } = await shell(`cd ${at}; ${stop}node ${EVERYWIRE} ${typed} ${stop && '--port 0'}`);
    expect(code).not.toBe(-1);
  });
});
