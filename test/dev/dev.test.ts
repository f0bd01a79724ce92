import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, isRunning, until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { CLIENTS } from '../share/clients.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

// One `everywire dev`, through everything that happens to it. The other tests of this folder have one for each variation.
const before = `import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { state } from './state.ts';
const hold = async () => {
  console.error('holding');
  while (!existsSync('go')) await sleep(20);
  return state;
};`;
const appWith = (functions: object = {}) =>
  appModule({ State: '=state', Process: '=process.pid', Die: '=process.exit(3)', ...functions }, { before });
const stateIs = (text: string) => `export const state = '${text}';\n`;

const project = new Project();
let client: Awaited<ReturnType<(typeof CLIENTS)[string]>>;
let pid: number;

beforeAll(async () => {
  project.write('app.ts', appWith({ Hold: '=await hold()' }));
  project.write('state.ts', stateIs('first'));
  await project.start();
  client = await CLIENTS['2.x, 2026-07-28']!(project.url);
  expect(await client.list()).toBe(4);
});
afterAll(() => client?.close());

it(proves('dev.reload', 'what is saved is served; a call under way ends in the code that it began in'), async () => {
  pid = (await project.result('Process')) as number;
  const held = project.result('Hold');
  await project.printed('holding');
  const printed = await project.reloaded(() => project.write('state.ts', stateIs('second')));
  expect(printed).toMatch(/^\d\d:\d\d:\d\d reloaded in \d+ ms: state\.ts; the contract is the same\n$/);
  expect(await project.result('State')).toBe('second');
  expect(isRunning(pid)).toBe(true);
  project.write('go', '');
  expect(await held).toBe('first');
  await until('the old process ends', () => !isRunning(pid));
});

it(proves('dev.contract', 'what a change means for callers is printed'), async () => {
  const printed = await project.reloaded(() => project.write('app.ts', appWith({ New: 'new' })));
  expect(printed).toMatch(
    /reloaded in \d+ ms: app\.ts\n {2}\+ New\n {2}- Hold \(breaking\)\n {2}1 MCP client notified\n$/,
  );
});

it(proves('dev.mcp', 'a connected client hears of it, and calls what is new'), async () => {
  await until('the notification', () => client.notified.length === 1);
  expect(client.notified).toEqual(['tools']);
  expect(await client.call('New')).toBe('new');
});

it(proves('dev.broken', 'the last good version is served while the code is broken, and it says why'), async () => {
  const printed = await project.reloaded(() => project.write('state.ts', 'const = 1;'), 'goes on serving');
  expect(printed).toMatch(/error: app\.ts cannot be loaded: .*\(state\.ts:1/);
  expect(await project.result('State')).toBe('second');
  expect(await client.call('State')).toBe('second');
});

it(proves('dev.watch', 'a file that replaces another is seen'), async () => {
  project.write('state.ts.tmp', stateIs('third'));
  const save = () => renameSync(project.path('state.ts.tmp'), project.path('state.ts'));
  expect(await project.reloaded(save)).toContain('good again, reloaded in');
  expect(await project.result('State')).toBe('third');
});

it(proves('dev.crash', 'a process that dies is replaced, and a call that comes meanwhile waits'), async () => {
  await expect(call(project.url, 'Die')).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(await project.result('State')).toBe('third');
  expect(project.log).toContain('error: the process ended unexpectedly (exit code 3); starting another\n');
  expect(await client.call('State')).toBe('third');
});

it(proves('dev.end', 'Ctrl+C ends it, with its process'), async () => {
  pid = (await project.result('Process')) as number;
  await client.close();
  project.child.kill('SIGINT');
  expect(await once(project.child, 'exit')).toEqual([0, null]);
  expect(isRunning(pid)).toBe(false);
});

it(proves('env.declared', 'dev without a declared variable does not wait for a change'), async () => {
  const unset = await new Project().start({ modules: [resolve('test/apps/variables.ts')], waits: false });
  expect(await once(unset.child, 'close')).toEqual([1, null]);
  expect(unset.log).toMatch(/^error: Tickets needs the variable TICKETS_DB .+\n$/);
});
