import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CGI, appCommand, command } from '../kit/command.ts';
import type { Ran } from '../kit/command.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';

const APP = 'test/apps/workers.ts';
const TASKS = `
  import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
  const long = defineFunction({ name: 'Long', description: 'Takes long', task: 'allowed', run: () => {} });
  export default createApp({ name: 'Tasks', version: '1', functions: [long] });`;

function moduleOf(code: string): string {
  const module = join(temporaryFolder('workers'), 'app.mjs');
  writeFileSync(module, code);
  return module;
}

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
    const config = join(temporaryFolder('workers'), 'wrong.json');
    writeFileSync(config, '{"serve": {"workers": "many"}}');
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

  it.each(Object.entries(commands).slice(1))(
    proves('cli.store', 'is that of the flag, or the variable: %s'),
    async (_, start) => {
      const env = { EVERYWIRE_STORE: 'redis://variable' };
      expect((await start({})).stdout).toContain('"result":"nowhere"');
      expect((await start(env)).stdout).toContain('"result":"redis://variable"');
      expect((await start(env, '--store', 'redis://flag')).stdout).toContain('"result":"redis://flag"');
    },
  );
});
