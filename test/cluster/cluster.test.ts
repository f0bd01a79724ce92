import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectErrors } from '../kit/errors.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { call, isRunning, processOf, processesAt, until, untilPrinted } from './calling.ts';

// One server for all of this, from its start to its end: each test begins where the one before has left it.

expectErrors(/^error: process \d+ ended unexpectedly \(exit code 3\)/, /half-written/, /the previous ones stay/);

const folder = temporaryFolder('cluster');
const module = join(folder, 'app.ts');
const config = join(folder, 'config.json');

const code = (state: string) => `
import { createApp, defineFunction } from ${JSON.stringify(resolve('dist/index.js'))};
const integer = { type: 'integer', description: 'A number' } as const;
const text = { type: 'string', description: 'Some text' } as const;
const input = { type: 'object', properties: { ms: integer } } as const;
const later = <T>(ms = 0, value: T) => new Promise<T>((resolve) => setTimeout(resolve, ms, value));
const app = createApp({ name: 'Cluster', version: '1.0.0', functions: [
  defineFunction({ name: 'Who', description: 'The process', input, output: integer, run: ({ ms }) => later(ms, process.pid) }),
  defineFunction({ name: 'State', description: 'The code', input, output: text, run: ({ ms }) => later(ms, ${JSON.stringify(state)}) }),
  defineFunction({ name: 'Store', description: 'The store', output: text, run: () => app.store.url ?? 'nowhere' }),
  defineFunction({ name: 'Exit', description: 'Ends the process', run: () => process.exit(3) }),
] });
export default app;
`;

let served: Served;
beforeAll(async () => {
  writeFileSync(module, code('old'));
  writeFileSync(config, '{"serve": {"workers": 2}}');
  served = await startServing(module, '--config', config, '--store', 'redis://flag');
});
afterAll(() => served.stop());

const stateOf = async (input?: object) => (await call(served.url, 'State', input)).body;
const twoProcesses = () => until('two processes', async () => (await processesAt(served.url)).size === 2);

it(proves('workers.all', 'all processes answer, and the banner is printed once'), async () => {
  const pids = await processesAt(served.url);
  expect(pids.size).toBe(2);
  expect(pids).not.toContain(served.child.pid);
  expect(served.stderr().match(/Cluster v1\.0\.0/g)).toHaveLength(1);
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
  writeFileSync(module, "throw new Error('half-written');\n");
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
  writeFileSync(module, code('new'));
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
