import { execFile, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { INITIALIZE, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtModule } from '../kit/built.ts';
import { appCommand, command, type Ran } from '../kit/command.ts';
import { startServing } from '../kit/served.ts';
import { run } from '../wires/cli.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const RESTLESS = 'test/apps/restless.ts';
const NEVER = 'test/apps/never.ts';
const CALCULATOR = 'examples/calculator/app.ts';

/** The app as a command: its source, its build, and a script that calls app.run. */
const forms = {
  'from source': async () => ['node', EVERYWIRE, 'call', RESTLESS],
  built: async () => ['node', await builtModule(RESTLESS)],
  'with app.run': async () => ['QUIET=1', 'node', script(`import app from '${await builtModule(RESTLESS)}';`)],
};

function script(before: string): string {
  const code = `${before}\nawait app.run(process.argv);\n`;
  return join(temporaryFolder('command', { 'restless.mjs': code }), 'restless.mjs');
}

/** Runs a line of bash. A command that does not end is killed; its code is -1. */
function shell(line: string, env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((done) => {
    const options = { env: { ...process.env, ...env }, timeout: 30_000, killSignal: 'SIGKILL' } as const;
    execFile('bash', ['-c', line], options, (error, stdout, stderr) =>
      done({ stdout, stderr, code: error?.killed ? -1 : Number(error?.code ?? 0) }),
    );
  });
}

const line = async (form: keyof typeof forms, words: string) => `${(await forms[form]()).join(' ')} ${words}`;

describe.concurrent('stdout carries the body and nothing else', () => {
  const PRINTED = ['by console.log', 'by process.stdout', 'by the descriptor', 'by a child', 'by a grandchild'];
  const body = '{"result":"done"}';

  // What stdout is decides how it is claimed; the form of the app decides how the command is started again.
  const files = (call: string, at: string) => `${call} > ${at}/out 2> ${at}/err`;
  it.each([
    ['both are files', 'from source', files],
    ['both are files', 'built', files],
    ['both are files', 'with app.run', files],
    ['stdout is a file', 'built', (call: string, at: string) => `${call} > ${at}/out 2> >(cat > ${at}/err); wait $!`],
    ['stderr is a file', 'built', (call: string, at: string) => `${call} 2> ${at}/err | cat > ${at}/out`],
    ['a log is appended to', 'built', (call: string, at: string) => `${call} 2>> ${at}/err >> ${at}/out`],
    ['both pipes', 'built', (call: string, at: string) => `${call} 2> >(cat > ${at}/err) | cat > ${at}/out; wait $!`],
  ] as const)(proves('cli.exact', 'where %s, %s'), async (_title, form, redirect) => {
    const at = temporaryFolder('redirect');
    const { code } = await shell(redirect(await line(form, 'print --json'), at));
    expect([readFileSync(join(at, 'out'), 'utf8'), code]).toEqual([body, 0]);
    const printed = readFileSync(join(at, 'err'), 'utf8');
    for (const words of PRINTED) expect(printed).toContain(`printed ${words}`);
  });

  it(proves('cli.exact', 'where others write to the same file, before and after'), async () => {
    const at = temporaryFolder('redirect');
    await shell(`{ echo first; ${await line('built', 'print')}; echo; echo last; } > ${at}/out 2> /dev/null`);
    expect(readFileSync(join(at, 'out'), 'utf8')).toBe(`first\n${body}\nlast\n`);
  });

  it(proves('cli.exact', 'on a terminal, with --json and stderr in a file'), async () => {
    const at = temporaryFolder('redirect');
    const call = await line('built', 'print --json');
    const { stdout } = await shell(`script -qec '${call} 2> ${at}/err' /dev/null < /dev/null`);
    expect(stdout).toBe(`${body}\r\n`);
    for (const words of PRINTED) expect(readFileSync(join(at, 'err'), 'utf8')).toContain(`printed ${words}`);
  });

  it(proves('cli.exact', 'a document, into a file'), async () => {
    const at = temporaryFolder('redirect');
    await shell(`node ${EVERYWIRE} openapi ${RESTLESS} > ${at}/out 2> ${at}/err`);
    expect(JSON.parse(readFileSync(join(at, 'out'), 'utf8'))).toMatchObject({ openapi: '3.1.1' });
    expect(readFileSync(join(at, 'err'), 'utf8')).toContain('printed by a child while loading');
  });
});

describe.concurrent('a call is answered once', () => {
  const call = async (form: keyof typeof forms, words: string, env?: Record<string, string>) =>
    shell(await line(form, words), env);

  it.each([
    ['from source', 'exit'],
    ['built', 'exit --code 3'],
    ['with app.run', 'exit'],
  ] as const)(proves('cli.always', 'though the function ends the process, %s: %s'), async (form, words) => {
    const { stdout, stderr, code } = await call(form, `${words} --json`);
    expect([stdout, code]).toEqual(['{"error":"The function ended the process before it returned"}', 70]);
    expect(stderr).toContain('error: The function ended the process before it returned (INTERNAL_ERROR)');
  });

  it(proves('cli.always', 'though it throws in a later tick, in the profile that was asked for'), async () => {
    const { stdout, stderr, code } = await call('from source', 'late --profile status');
    const expected = { status: 'ERROR', error: { code: 'INTERNAL_ERROR', message: 'SECRET thrown later' } };
    expect(JSON.parse(stdout)).toMatchObject(expected);
    expect(code).toBe(70);
    expect(stderr).toMatch(/^error: uncaught: SECRET thrown later\n +at /m);
  });

  it(proves('cli.always', 'which is masked in production, and logged'), async () => {
    const { stdout, stderr, code } = await call('built', 'late', { NODE_ENV: 'production' });
    const [, id] = /^\{"error":"Something went wrong \(error id ([\w-]+)\)"\}$/.exec(stdout) ?? [];
    expect([id?.length, code]).toEqual([36, 70]);
    expect(stderr).toContain(`uncaught (error id ${id}): SECRET thrown later\n    at `);
  });

  it.each([
    ['a socket', ''],
    ['a pipe', '| cat'],
    ['a file', '> $AT/out; code=$?; cat $AT/out; exit $code'],
  ])(proves('cli.always', 'and not again for what is thrown later, into %s'), async (_title, to) => {
    const { stdout } = await call('built', `after ${to}`, { AT: temporaryFolder('after') });
    expect(stdout.replace(/a{300000}/, '…')).toMatch(/^\{"result":"…"\}$|^\{"error":"thrown after the answer"\}$/);
  });

  it.each([
    ['from source', async () => [EVERYWIRE, 'call', NEVER, 'Never']],
    ['built', async () => [await builtModule(NEVER), 'never']],
    ['with app.run', async () => [script(`import app from '${await builtModule(NEVER)}';`), 'never']],
  ])(proves('cli.always', 'though the function never returns, %s'), async (_form, words) => {
    const { stdout, stderr, code } = await run(await words());
    expect([stdout, code]).toEqual(['{"error":"The function never returned"}', 70]);
    expect(stderr).toBe('error: The function never returned (INTERNAL_ERROR)\n');
  });
});

describe.concurrent('commands end, though the app holds a timer and a socket', () => {
  it.each(['print --help', 'call', 'nosuchfunction', 'serve --port 1x', 'openapi'])(
    proves('cli.ends', 'app %s'),
    async (words) => expect((await shell(await line('built', words))).code).not.toBe(-1),
  );

  // `cgi` without a web server prints what it is for.
  it.each(['call % Print --help', 'mcp-config %', 'cgi %'])(proves('cli.ends', 'everywire %s'), async (words) => {
    const { code } = await shell(`node ${EVERYWIRE} ${words.replace('%', RESTLESS)}`);
    expect(code).not.toBe(-1);
  });

  it(proves('cli.ends', 'everywire serve, on SIGTERM'), async () => {
    const served = await startServing(RESTLESS);
    expect(await served.stop()).toBe(0);
  });

  // In this process: a command that does not end itself, whatever the app holds, is one that this waits for in vain.
  const own = ['--help', '--version', '', 'call --help', 'complete bash', 'complete nosuchshell', 'complete -- add --'];
  const wrong = ['add --nosuchflag', '--nosuchoption', 'call --json', 'serve --help', 'serve --nosuchoption'];
  const more = ['serve --host 203.0.113.1', 'openapi --nosuchoption', 'containerize', 'cgi', 'mcp --nosuchoption'];
  it.each([...own, ...wrong, ...more])(proves('cli.ends', 'in process, app %s'), async (words) => {
    const { code } = await appCommand(CALCULATOR, words.split(' ').filter(Boolean), { cwd: temporaryFolder('ends') });
    expect(code).toBeTypeOf('number');
  });

  const named = ['call %', 'call % --help', 'call % NoSuch', 'call % --nosuch', 'openapi %', 'complete -- call % x'];
  it.each([...named, 'containerize % --dockerfile-only', 'containerize %', 'serve % --host 203.0.113.1'])(
    proves('cli.ends', 'in process, everywire %s'),
    async (words) => {
      const args = words.replace('%', resolve(CALCULATOR)).split(' ');
      expect((await command(args, { cwd: temporaryFolder('ends') })).code).toBeTypeOf('number');
    },
  );
});

// If stdout is a file, the command is respawned (see src/stdout/README.md), and the first process forwards signals. Ctrl+C in
// a terminal reaches both processes, like the signal to their process group here.

function startDetached(...args: readonly string[]) {
  const path = join(temporaryFolder('signals'), 'out');
  const out = openSync(path, 'w');
  const child = spawn(process.execPath, [EVERYWIRE, ...args], { stdio: ['pipe', out, 'ignore'], detached: true });
  const ended = new Promise<number | string | null>((end) => child.once('exit', (code, signal) => end(code ?? signal)));
  return { child, ended, read: () => readFileSync(path, 'utf8') };
}

describe.concurrent('^C', () => {
  it(proves('mcp.stdio', 'once lets the call in progress end, though stdout is a file'), async () => {
    const { child, ended, read } = startDetached('mcp', 'test/apps/mcp.ts');
    const call = { jsonrpc: '2.0', id: 2, ...tool('Count', {}, { _meta: { progressToken: 1 } }) };
    for (const message of [INITIALIZE, call]) child.stdin!.write(`${JSON.stringify(message)}\n`);
    await expect.poll(read, { timeout: 20_000 }).toContain('step 1');
    process.kill(-child.pid!, 'SIGINT');
    expect(await ended).toBe(0);
    expect(read()).toContain('{"result":3}');
  });

  it.each([
    ['of both processes', -1],
    ['of the first process alone, which forwards it', 1],
  ])(proves('cli.exit', 'cancels a call, and its answer is written: %s'), async (_title, sign) => {
    const begun = join(temporaryFolder('begun'), 'begun');
    const { child, ended, read } = startDetached('call', NEVER, 'Wait', '--file', begun);
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    process.kill(sign * child.pid!, 'SIGINT');
    expect([await ended, read()]).toEqual([130, '{"error":"Cancelled by the caller"}']);
  });
});

// Node gives its child processes sockets. Duplicating one uses deprecated API (src/stdout/dup-socket.ts).

const PRINTING = `import { createApp, defineFunction } from 'everywire';
console.log('printed by the app');
const parent = defineFunction({ name: 'Parent', description: 'The parent process', output: { type: 'integer', description: 'Its id' }, run: () => process.ppid });
export default createApp({ name: 'Sockets', version: '1.0.0', functions: [parent] });
`;

it(proves('cli.exact', 'a socket as stdout is duplicated in this process, and nothing is said about it'), async () => {
  const app = PRINTING.replace("'everywire'", `'${join(process.cwd(), 'dist/index.js')}'`);
  const module = join(temporaryFolder('sockets', { 'app.mjs': app }), 'app.mjs');
  const words = ['dist/bin/everywire.js', 'call', module, 'Parent', '--json'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // A second process would have the first one as its parent.
  expect([JSON.parse(stdout), stderr]).toEqual([{ result: process.pid }, 'printed by the app\n']);
});
