import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { startServing } from '../kit/served.ts';
import { startWorkers } from './calling.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const APP = resolve('test/apps/workers.ts');
const RATES = resolve('test/apps/rates.ts');
const serve = (module: string, ...flags: readonly string[]) =>
  run([EVERYWIRE, 'serve', module, '--port', '0', ...flags]);

function moduleOf(code: string): string {
  const module = join(temporaryFolder('workers'), 'app.mjs');
  writeFileSync(module, code);
  return module;
}

describe.concurrent('several processes that cannot serve', () => {
  it(proves('workers.start', 'a port that is in use'), async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await serve(APP, '--workers', '2', '--port', `${port}`);
    taken.close();
    expect([code, stderr]).toEqual([1, `error: port ${port} is in use; choose another with --port\n`]);
  });

  it.each([
    ['with a mistake', "throw new Error('oops');", 1, /^error: .*app\.mjs cannot be loaded: oops[^]*$/],
    ['that ends the process', 'process.exit(0);', 1, /^error: .*ended the process while loading \(exit code 0\)\n$/],
    ['that waits for nothing', 'await new Promise(() => {});', 1, /^error: .*never finished loading/],
    [
      'that crashes',
      "process.kill(process.pid, 'SIGKILL');",
      1,
      /^error: the first process ended before it could serve \(SIGKILL\)\n$/,
    ],
    [
      'whose start never settles',
      `import { createApp } from ${JSON.stringify(resolve('dist/index.js'))};
       export default createApp({ name: 'X', version: '1', functions: [], start: () => new Promise(() => {}) });`,
      1,
      /^error: X cannot start: start never settles/,
    ],
  ] as const)(proves('workers.start', 'a module %s'), async (_what, code, exit, message) => {
    const ended = await serve(moduleOf(code), '--workers', '2');
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr.match(/error:/g)).toHaveLength(1);
    expect(ended.code).toBe(exit);
  });

  it(proves('workers.shared', 'rate limits without a Redis that all count in'), async () => {
    const refused =
      'error: each process would count calls for its own rate limits; share them with --store redis://…, or use --workers 1\n';
    expect(await serve(RATES, '--workers', '2')).toMatchObject({ code: 2, stderr: refused });
    // PostgreSQL counts nothing.
    expect(await serve(RATES, '--workers', '2', '--store', 'postgres://localhost/x')).toMatchObject({
      code: 2,
      stderr: refused,
    });
    // Redis is not asked before the first call.
    const served = await startWorkers(RATES, '--store', 'redis://127.0.0.1:1');
    expect(served.stderr()).not.toContain('sessions');
    expect(await served.stop()).toBe(0);
  });
});

it(proves('workers.shared', 'tasks without a store are refused'), async () => {
  const module = moduleOf(`
    import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
    const long = defineFunction({ name: 'Long', description: 'Takes long', task: 'allowed', run: () => {} });
    export default createApp({ name: 'Tasks', version: '1', functions: [long] });`);
  const { code, stderr } = await serve(module, '--workers', '2');
  const refused =
    'error: each process would have its own tasks; share them with --store redis://…, or use --workers 1\n';
  expect([code, stderr]).toEqual([2, refused]);
});

describe.concurrent('--workers', () => {
  it.each(['0', '-1', '1.5', 'all', '8080'])(proves('workers.option', 'refuses %s'), async (value) => {
    const { code, stderr } = await serve(APP, `--workers=${value}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('expected auto, or a number from 1 to 512')]);
  });

  it(proves('workers.option', 'comes from the environment and the configuration file, too'), async () => {
    const folder = temporaryFolder('workers');
    writeFileSync(join(folder, 'wrong.json'), '{"serve": {"workers": "many"}}');
    const args = [EVERYWIRE, 'serve', APP, '--port', '0'];
    const configured = await run([...args, '--config', join(folder, 'wrong.json')]);
    expect([configured.code, configured.stderr]).toEqual([2, expect.stringContaining("value 'many' from")]);
    const variable = await run(args, undefined, { EVERYWIRE_WORKERS: 'few' });
    expect([variable.code, variable.stderr]).toEqual([
      2,
      expect.stringContaining("value 'few' from env 'EVERYWIRE_WORKERS'"),
    ]);
    writeFileSync(join(folder, 'right.json'), '{"serve": {"workers": 2}}');
    const served = await startServing(APP, '--config', join(folder, 'right.json'));
    expect(served.stderr()).toContain('Processes 2');
    expect(await served.stop()).toBe(0);
  });

  it(proves('workers.option', 'auto is the number of cores; 1 is a single process'), async () => {
    const auto = await startServing(APP, '--workers', 'auto');
    const cores = availableParallelism();
    if (cores > 1) expect(auto.stderr()).toContain(`Processes ${cores}`);
    expect(await auto.stop()).toBe(0);
    const one = await startServing(APP, '--workers', '1');
    expect(one.stderr()).not.toContain('Processes');
    expect(await one.stop()).toBe(0);
  });
});
