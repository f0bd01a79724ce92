import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appModule } from '../dev/project.ts';
import { expectErrors } from '../kit/errors.ts';
import { startServing, type Served } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { call, isRunning, processesAt, processOf, until, untilPrinted } from './calling.ts';
import { appCommand, CGI, command, type Ran } from '../kit/command.ts';
import { run } from '../wires/cli.ts';

// One server for all of this, from its start to its end: each test begins where the one before has left it.

expectErrors(/^error: process \d+ ended unexpectedly \(exit code 3\)/, /half-written/, /the previous ones stay/);

const Store = "=app.store.url ?? 'nowhere'";
const codeOf = (state: string) => appModule({ Who: '=process.pid', State: state, Store, Exit: '=process.exit(3)' });

const folder = temporaryFolder('cluster', { 'app.ts': codeOf('old'), 'config.json': '{"serve": {"workers": 2}}' });
const edited = join(folder, 'app.ts');
let served: Served;
beforeAll(async () => {
  served = await startServing(edited, '--config', join(folder, 'config.json'), '--store', 'redis://flag');
});
afterAll(() => served.stop());

const stateOf = async (input?: object) => (await call(served.url, 'State', input)).body;
const twoProcesses = () => until('two processes', async () => (await processesAt(served.url)).size === 2);

it(proves('workers.all', 'all processes answer, and the banner is printed once'), async () => {
  const pids = await processesAt(served.url);
  expect(pids.size).toBe(2);
  expect(pids).not.toContain(served.child.pid);
  expect(served.stderr().match(/Edited v1\.0\.0/g)).toHaveLength(1);
});

it(proves('workers.option', 'the number comes from the configuration file'), () => {
  expect(served.stderr()).toContain('Processes 2\n');
});

it(proves('cli.store', 'is handed to all processes'), async () => {
  for (let i = 0; i < 4; i++) expect((await call(served.url, 'Store')).body).toBe('{"result":"redis://flag"}');
});

it(proves('workers.crash', 'a process that dies is replaced, and other calls go on'), async () => {
  const before = await processesAt(served.url);
  // The process that has this call gets the next connection but one.
  const waiting = processOf(served.url, 'Who', { ms: 500 });
  await expect(call(served.url, 'Exit')).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(before).toContain(await waiting);
  await twoProcesses();
  expect([...(await processesAt(served.url))].filter((pid) => before.has(pid))).toHaveLength(1);
});

it(proves('workers.reload', 'with a mistake in the new code, the previous processes stay'), async () => {
  writeFileSync(edited, "throw new Error('half-written');\n");
  served.child.kill('SIGHUP');
  await untilPrinted(served, 'the previous ones stay');
  expect(await stateOf()).toBe('{"result":"old"}');
});

it(proves('workers.reload', 'new processes serve before the previous ones end, and no call fails'), async () => {
  const before = await processesAt(served.url);
  const long = stateOf({ ms: 1500 });
  const seen = new Set<string>();
  let isOver = false;
  const load = (async () => {
    while (!isOver) seen.add(await stateOf({ ms: 5 }));
  })();
  writeFileSync(edited, codeOf('new'));
  served.child.kill('SIGHUP');
  await untilPrinted(served, 'SIGHUP: new processes serve; the previous ones finish their calls');
  for (let i = 0; i < 4; i++) expect(await stateOf()).toBe('{"result":"new"}');
  isOver = true;
  await load;
  expect([...seen].filter((body) => !/^\{"result":"(?:old|new)"\}$/.test(body))).toEqual([]);
  expect(await long).toBe('{"result":"old"}');
  await until('the previous ones end', () => ![...before].some(isRunning));
});

it(proves('workers.stop', 'SIGTERM: calls in progress finish, and all processes end'), async () => {
  const pids = await processesAt(served.url);
  const waiting = Array.from({ length: 6 }, () => processOf(served.url, 'Who', { ms: 500 }));
  await processOf(served.url, 'Who', { ms: 100 });
  const stopped = served.stop();
  for (const pid of await Promise.all(waiting)) expect(pids).toContain(pid);
  expect(await stopped).toBe(0);
  expect(served.stderr().match(/SIGTERM: finishing the calls in progress/g)).toHaveLength(1);
  expect([...pids].some(isRunning)).toBe(false);
});

const APP = 'test/apps/workers.ts';
const TASKS = `
  import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
  const long = defineFunction({ name: 'Long', description: 'Takes long', task: 'allowed', run: () => {} });
  export default createApp({ name: 'Tasks', version: '1', functions: [long] });`;

const moduleOf = (code: string) => join(temporaryFolder('workers', { 'app.mjs': code }), 'app.mjs');

/** In processes of their own: the first one starts others. */
const serve = (module: string, ...flags: readonly string[]) =>
  run(['dist/bin/everywire.js', 'serve', module, '--port', '0', '--workers', '2', ...flags]);

describe('several processes that cannot serve', () => {
  it(proves('workers.start', 'a port that is in use'), async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await serve(APP, '--port', `${port}`);
    taken.close();
    expect([code, stderr]).toEqual([1, `error: port ${port} is in use; choose another with --port\n`]);
  });

  it.each([
    ['with a mistake', "throw new Error('oops');", /^error: .*app\.mjs cannot be loaded: oops[^]*$/],
    ['that crashes', "process.kill(process.pid, 'SIGKILL');", /^error: the first process ended .* \(SIGKILL\)\n$/],
  ])(proves('workers.start', 'a module %s'), async (_what, code, message) => {
    const ended = await serve(moduleOf(code));
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.match(/error:/g)).toHaveLength(1);
    expect(ended.code).toBe(1);
  });

  it.each([
    ['rate limits', 'would count calls for its own rate limits', 'test/apps/rates.ts'],
    ['tasks', 'would have its own tasks', moduleOf(TASKS)],
  ])(proves('workers.shared', '%s without a store that all use'), async (_what, would, module) => {
    const reason = `error: each process ${would}; share them with --store redis://…, or use --workers 1\n`;
    expect(await serve(module)).toMatchObject({ code: 2, stderr: reason });
  });
});

describe('--workers', () => {
  const start = (args: readonly string[], env = {}) => command(['serve', APP, '--port', '0', ...args], { env });

  it.each(['0', '-1', '1.5', 'all', '8080'])(proves('workers.option', 'refuses %s'), async (value) => {
    const { code, stderr } = await start([`--workers=${value}`]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected auto, or a number from 1 to 512')]);
  });

  it(proves('workers.option', 'is refused in the environment and the configuration file, too'), async () => {
    const config = join(temporaryFolder('workers', { 'c.json': '{"serve": {"workers": "many"}}' }), 'c.json');
    const [configured, variable] = [await start(['--config', config]), await start([], { EVERYWIRE_WORKERS: 'few' })];
    expect([configured.code, configured.stderr]).toEqual([2, expect.stringContaining("value 'many' from")]);
    const message = expect.stringContaining("value 'few' from env 'EVERYWIRE_WORKERS'") as string;
    expect([variable.code, variable.stderr]).toEqual([2, message]);
  });
});

describe('--store', () => {
  const wrong = 'mysql://root:hush-hush@localhost';
  const cgi = { ...CGI, REQUEST_METHOD: 'POST', PATH_INFO: '/functions/Store' };
  const tool = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"functions.Store"}}\n';
  /** A module for each command: those that run in this process stop the app. */
  const app = () =>
    moduleOf(`
      import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
      const output = { type: 'string', description: 'The address' };
      const run = () => app.store.url ?? 'nowhere';
      const app = createApp({ name: 'Stores', version: '1', functions: [
        defineFunction({ name: 'Store', description: 'The address of the store', output, run }),
      ] });
      export default app;`);
  const commands: Record<string, (env: Record<string, string>, ...flags: readonly string[]) => Promise<Ran>> = {
    serve: (env, ...flags) => command(['serve', app(), ...flags], { env }),
    cgi: (env, ...flags) => command(['cgi', app(), ...flags], { env: { ...cgi, ...env } }),
    call: (env, ...flags) => command(['call', app(), 'Store', ...flags], { env }),
    'call, with the flag first': (env, ...flags) => command(['call', ...flags, app(), 'Store'], { env }),
    'an app that is a command': (env, ...flags) => appCommand(app(), ['store', ...flags], { env }),
    // In a process: it connects to the store.
    mcp: (env, ...flags) => run(['dist/bin/everywire.js', 'mcp', app(), ...flags], Buffer.from(tool), env),
  };

  it.each(Object.entries(commands))(proves('cli.store', 'is refused, not repeated: %s'), async (name, start) => {
    for (const ended of [await start({}, '--store', wrong), await start({ EVERYWIRE_STORE: wrong })]) {
      expect(ended.code).toBe(name === 'cgi' ? 0 : 2);
      expect(ended.stderr).toContain(
        '--store, EVERYWIRE_STORE: The address of a store looks like redis://localhost:6379 or postgres://localhost/tasks',
      );
      expect(ended.stdout + ended.stderr).not.toContain('hush');
    }
  });

  it.each(Object.entries(commands).slice(1))(proves('cli.store', 'by flag or variable: %s'), async (_, start) => {
    const env = { EVERYWIRE_STORE: 'redis://variable' };
    expect((await start({})).stdout).toContain('"result":"nowhere"');
    expect((await start(env)).stdout).toContain('"result":"redis://variable"');
    expect((await start(env, '--store', 'redis://flag')).stdout).toContain('"result":"redis://flag"');
  });
});
