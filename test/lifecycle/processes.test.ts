import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtModule } from '../kit/built.ts';
import { command } from '../kit/command.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { INITIALIZE, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';

/** What the app is told in variables. */
interface Orders {
  readonly START?: 'throw' | 'hang';
  readonly START_MS?: string;
  readonly STOP?: 'throw';
}

/** A process that serves the app, in one way. */
interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stderr: () => string;
  readonly stdout: () => string;
  /** What the app noted so far. */
  readonly notes: () => string[];
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** A way to run an app. `kind` decides how it is called, and what happens to a call on SIGTERM. */
interface Way {
  readonly name: string;
  readonly kind: 'http' | 'mcp' | 'call' | 'cgi';
  /** The arguments of Node; the flags of the call are added. */
  readonly args: () => readonly string[];
  /** Whether the app is started before the first call. */
  readonly isEager: boolean;
}

/** Starts a process, and with `call` and `cgi` also the call. */
function begin(way: Way, orders: Orders = {}, input: object = {}): Running {
  const notes = join(temporaryFolder('lifecycle'), 'notes');
  const variables = { NOTES: notes, ...orders };
  const flags = way.name.startsWith('embedded')
    ? []
    : Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const own = { http: ['--port', '0'], mcp: [], cgi: [], call: ['--input', JSON.stringify(input)] }[way.kind];
  const body = JSON.stringify(input);
  const cgi = { REQUEST_METHOD: 'POST', PATH_INFO: '/Run', CONTENT_LENGTH: String(body.length) };
  const child = spawn(process.execPath, [...way.args(), ...(way.name.startsWith('embedded') ? [] : own), ...flags], {
    env: { PATH: process.env['PATH'], ...variables, ...(way.kind === 'cgi' && cgi) },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {});
  if (way.kind === 'cgi') child.stdin.end(body);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    notes: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : []),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
  };
}

/** Waits until the app noted something. */
async function noted({ notes, stderr }: Running, line: string): Promise<void> {
  await expect.poll(notes, { timeout: 30_000, message: stderr() }).toContain(line);
}

/** Makes a call, over HTTP or MCP; the others have made it when they started. Resolves to the text of the answer. */
async function makeCall(way: Way, running: Running, input: object = {}): Promise<string> {
  if (way.kind === 'http') {
    const address = () => /http:\/\/[\d.:]+\/functions/.exec(running.stderr())?.[0];
    await expect.poll(address, { timeout: 30_000 }).toBeDefined();
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const response = await fetch(`${address()}/Run`, { method: 'POST', headers, body: JSON.stringify(input) });
    return response.text();
  }
  if (way.kind === 'mcp') {
    for (const message of [INITIALIZE, { jsonrpc: '2.0', id: 2, ...tool('Run', input) }])
      running.child.stdin.write(`${JSON.stringify(message)}\n`);
    await expect.poll(running.stdout, { timeout: 30_000 }).toContain('"id":2');
  }
  return running.stdout();
}

const APP = 'test/lifecycle/app.ts';
const everywire = (name: string) => () => ['dist/bin/everywire.js', name, APP, ...(name === 'call' ? ['Run'] : [])];

let built = '';
beforeAll(async () => {
  if (size(0, 1) === 1) built = await builtModule(APP);
});

const ways: readonly Way[] = [
  { name: 'serve', kind: 'http', args: everywire('serve'), isEager: true },
  { name: 'mcp', kind: 'mcp', args: everywire('mcp'), isEager: true },
  { name: 'call', kind: 'call', args: everywire('call'), isEager: false },
  { name: 'cgi', kind: 'cgi', args: everywire('cgi'), isEager: false },
  { name: 'a built app, serve', kind: 'http', args: () => [built, 'serve'], isEager: true },
  { name: 'a built app, mcp', kind: 'mcp', args: () => [built, 'mcp'], isEager: true },
  { name: 'a built app, call', kind: 'call', args: () => [built, 'run'], isEager: false },
  { name: 'a built app, cgi', kind: 'cgi', args: () => [built, 'cgi'], isEager: false },
  { name: 'its own command, call', kind: 'call', args: () => ['test/lifecycle/command.mjs', 'run'], isEager: false },
  { name: 'embedded', kind: 'http', args: () => ['test/lifecycle/embedded.mjs'], isEager: false },
];

const isOneShot = ({ kind }: Way) => kind === 'call' || kind === 'cgi';
const isServer = (way: Way) => !isOneShot(way);
const isEager = (way: Way) => way.isEager;
const isLazy = (way: Way) => !way.isEager;

const isAny = () => true;

/** The ways of a kind: those with these names in `npm test`, all of them in `npm run test:full`. */
const some = (isOne: (way: Way) => boolean, ...names: readonly string[]) =>
  ways.filter(isOne).filter(({ name }) => names.includes(name) || size(0, 1) === 1);

const EACH = ['serve', 'mcp', 'call', 'cgi', 'embedded'];
const WHOLE = ['start', 'call', 'called', 'stop', 'stopped'];
const UNCALLED = ['start', 'stop', 'stopped'];
const endOf = async (running: Running) => [await running.ended, running.notes()];

/** Makes a call, which is answered, and ends the process in the usual way. */
async function callOnce(way: Way, running: Running): Promise<void> {
  if (isOneShot(way)) await running.ended;
  expect(await makeCall(way, running)).toContain('done');
  if (way.kind === 'mcp') running.child.stdin.end();
  else if (way.kind === 'http') running.child.kill('SIGINT');
}

describe.concurrent('calls under way, then stop, then exit', () => {
  it.each(some(isAny, ...EACH))(proves('lifecycle.process', 'on a normal end: $name'), async (way) => {
    const running = begin(way);
    await callOnce(way, running);
    expect(await endOf(running)).toEqual([0, WHOLE]);
  });

  it.each(some(isServer, 'serve', 'mcp'))(proves('lifecycle.process', 'on SIGTERM in a call: $name'), async (way) => {
    const running = begin(way);
    const answer = makeCall(way, running, { ms: 500 });
    await noted(running, 'call');
    running.child.kill('SIGTERM');
    expect(await answer).toContain('done');
    expect(await endOf(running)).toEqual([0, WHOLE]);
  });

  it.each(some(isOneShot, 'call', 'cgi'))(proves('lifecycle.process', 'SIGTERM cancels a call: $name'), async (way) => {
    const running = begin(way, {}, { ms: 20_000 });
    await noted(running, 'call');
    running.child.kill('SIGTERM');
    const notes = ['start', 'call', 'cancelled', 'stop', 'stopped'];
    expect(await endOf(running)).toEqual([way.kind === 'cgi' ? 0 : 130, notes]);
    expect(running.stdout()).toContain('{"error":"Cancelled by the caller"}');
  });

  it.each(some(isEager, 'serve'))(proves('lifecycle.process', 'if start fails, with one error: $name'), async (way) => {
    const running = begin(way, { START: 'throw' });
    expect(await endOf(running)).toEqual([1, UNCALLED]);
    expect(running.stderr()).toMatch(/^error: Lifecycle cannot start: no database/);
    expect(running.stdout()).toBe('');
  });

  it.each(some(isLazy, 'cgi'))(proves('lifecycle.process', 'if start fails with the call: $name'), async (way) => {
    const running = begin(way, { START: 'throw' });
    if (isOneShot(way)) await running.ended;
    expect(await makeCall(way, running)).toContain('{"error":"no database"}');
    if (way.kind === 'http') running.child.kill('SIGTERM');
    expect(await endOf(running)).toEqual([way.kind === 'call' ? 70 : 0, UNCALLED]);
    expect(running.stderr()).toContain('"part":"start"');
  });

  it.each(some(({ name }) => name !== 'embedded', 'mcp', 'call'))(
    proves('lifecycle.process', 'SIGTERM in start: $name'),
    async (way) => {
      const running = begin(way, { START_MS: '3000' });
      await noted(running, 'start');
      running.child.kill('SIGTERM');
      expect(await endOf(running)).toEqual([way.kind === 'call' ? 130 : 0, UNCALLED]);
    },
  );

  it.each(some(isAny, 'serve', 'call'))(proves('lifecycle.process', 'if stop fails: $name'), async (way) => {
    const running = begin(way, { STOP: 'throw' });
    await callOnce(way, running);
    expect(await endOf(running)).toEqual([isOneShot(way) ? 0 : 1, WHOLE.slice(0, -1)]);
    expect(running.stderr()).toMatch(/"message":"cannot close".*"part":"stop".*"stack":/);
  });

  it.each([
    ...some(isOneShot, 'cgi').map((way) => ({ ...way, how: 'throw' })),
    ...some(isOneShot, 'call').map((way) => ({ ...way, how: 'uncaught' })),
  ])(proves('lifecycle.process', 'if the function does $how: $name'), async (way) => {
    const running = begin(way, {}, { how: way.how });
    const code = await running.ended;
    expect(code).toBe(way.kind === 'cgi' ? 0 : 70);
    expect(running.notes().filter((line) => line !== 'cancelled')).toEqual(['start', 'call', 'stop', 'stopped']);
    expect(running.stdout()).toMatch(way.kind === 'cgi' ? /^Status: 500 / : /^\{"error":"(thrown|uncaught)"\}$/);
  });

  it.each(some(isOneShot, 'call'))(proves('lifecycle.process', 'if nobody reads the answer: $name'), async (way) => {
    const running = begin(way, {}, { ms: 100 });
    running.child.stdout.destroy();
    await running.ended;
    expect(running.notes()).toEqual(WHOLE);
  });
});

it.each([
  ['help', ['call', APP, 'Run', '--help'], {}],
  ['the list of functions', ['call', APP], {}],
  ['invalid arguments', ['call', APP, 'Run', '--ms', 'x'], {}],
  ['the OpenAPI document', ['openapi', APP], {}],
  ['the configuration of MCP clients', ['mcp-config', APP], {}],
  ['a document over CGI', ['cgi', APP], { REQUEST_METHOD: 'GET', PATH_INFO: '/openapi.json' }],
])(proves('lifecycle.process', 'nothing is started for %s'), async (_what, args, variables) => {
  const NOTES = join(temporaryFolder('lifecycle'), 'notes');
  const [name = '', ...rest] = args;
  const { stdout } = await command([name, '--env', `NOTES=${NOTES}`, ...rest], { env: variables });
  expect(stdout).not.toBe('');
  expect(existsSync(NOTES)).toBe(false);
});

it(proves('lifecycle.process', 'a start that can never settle ends a server with an error'), async () => {
  const running = begin(ways[0]!, { START: 'hang' });
  expect(await running.ended).toBe(1);
  expect(running.stderr()).toMatch(/^error: Lifecycle cannot start: start never settles/);
});

it(proves('lifecycle.process', 'a second signal ends a server at once'), async () => {
  const running = begin(ways[0]!);
  const answer = makeCall(ways[0]!, running, { ms: 20_000 }).catch(() => 'cut off');
  await noted(running, 'call');
  running.child.kill('SIGTERM');
  await expect.poll(running.stderr).toContain('finishing the calls in progress');
  running.child.kill('SIGTERM');
  expect([await running.ended, await answer]).toEqual([1, 'cut off']);
});
