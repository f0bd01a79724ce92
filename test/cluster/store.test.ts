import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { builtModule } from '../kit/built.ts';
import { call, startWorkers } from './calling.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const APP = 'test/apps/workers.ts';
const WRONG = 'mysql://root:hush-hush@localhost';
const SENTENCE =
  '--store, EVERYWIRE_STORE: The address of a store looks like redis://localhost:6379 or postgres://localhost/tasks';

describe.concurrent('--store', () => {
  const cgi = { GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: 'POST', PATH_INFO: '/functions/Store' };
  it.each([
    ['serve', [], {}, 2],
    ['mcp', [], {}, 2],
    ['cgi', [], cgi, 0],
    ['call', ['Store'], {}, 2],
  ] as const)(proves('cli.store', 'is refused without being repeated: %s'), async (command, more, env, exit) => {
    for (const ended of [
      await run([EVERYWIRE, command, APP, ...more, '--store', WRONG], undefined, env),
      await run([EVERYWIRE, command, '--store', WRONG, APP, ...more], undefined, env),
      await run([EVERYWIRE, command, APP, ...more], undefined, { ...env, EVERYWIRE_STORE: WRONG }),
    ]) {
      expect(ended.code).toBe(exit);
      expect(ended.stderr).toContain(SENTENCE);
      expect(ended.stdout + ended.stderr).not.toContain('hush');
    }
  });

  const flag = ['--store', 'redis://flag'];
  const env = { EVERYWIRE_STORE: 'redis://variable' };
  const tool = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"functions.Store"}}\n';
  it.each([
    ['nowhere', 'call', [APP, 'Store'], {}],
    ['redis://flag', 'call', [APP, 'Store', ...flag], {}],
    ['redis://flag', 'call', [...flag, APP, 'Store'], env],
    ['redis://variable', 'call', [APP, 'Store'], env],
    ['redis://flag', 'mcp', [APP, ...flag], {}],
    ['redis://variable', 'mcp', [APP], env],
    ['redis://flag', 'cgi', [APP, ...flag], cgi],
    ['redis://variable', 'cgi', [APP], { ...cgi, ...env }],
  ] as const)(proves('cli.store', 'is %s: %s'), async (store, command, args, variables) => {
    const input = command === 'mcp' ? Buffer.from(tool) : undefined;
    const { stdout } = await run([EVERYWIRE, command, ...args], input, variables);
    expect(stdout).toContain(`"result":"${store}"`);
  });

  it(proves('cli.store', 'is handed to all processes, and to a built app'), async () => {
    const served = await startWorkers(APP, ...flag);
    expect((await call(served.url, 'Store')).body).toBe('{"result":"redis://flag"}');
    expect(await served.stop()).toBe(0);
    const built = await run([await builtModule(APP), 'store', ...flag]);
    expect(built.stdout).toBe('{"result":"redis://flag"}');
  });
});
