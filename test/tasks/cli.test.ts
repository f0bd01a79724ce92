import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { shared } from '../kit/broker.ts';
import { hasRedis } from '../kit/redis.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtModule } from '../kit/built.ts';
import { run } from '../wires/cli.ts';
import { APP, beginAsking, everywireWith, startEverywire, startWorker, stop, taskOf } from './commands.ts';
import type { Everywire, Running } from './commands.ts';
import { expectErrors } from '../kit/errors.ts';

expectErrors(/ECONNREFUSED 127\.0\.0\.1:1\b/);

const ID = /^[\da-f]{36}$/;
/** Where nobody listens. */
const AWAY = 'redis://127.0.0.1:1';

describe.runIf(hasRedis)('tasks on the command line', () => {
  let redis: { readonly url: string };
  let worker: Running;
  let everywire: Everywire;
  beforeAll(async () => {
    redis = await shared('redis');
    worker = await startWorker(redis.url);
    everywire = everywireWith(redis.url);
  });
  afterAll(() => stop(worker));

  /** What a command prints, and its exit code. */
  const ran = async (...args: readonly string[]) => {
    const { stdout, code } = await everywire(...args);
    return [stdout, code];
  };
  const start = async (fn: string, ...flags: readonly string[]) => {
    const { taskId } = taskOf(await everywire('call', APP, fn, ...flags, '--detach'));
    return taskId;
  };

  it(proves('cli.detach', '--detach prints the task, and nothing else, and does not wait'), async () => {
    const { stdout, stderr, code } = await everywire('call', APP, 'Report', '--every', '10000', '--detach');
    const task = JSON.parse(stdout) as Record<string, unknown>;
    expect(task).toMatchObject({ taskId: expect.stringMatching(ID), status: 'working', pollIntervalMs: 1000 });
    expect([stderr, code]).toEqual(['', 0]);
    const cancelled = await everywire('tasks', 'cancel', APP, String(task['taskId']));
    expect([taskOf(cancelled).status, cancelled.code]).toEqual(['cancelled', 0]);
    expect(await ran('tasks', 'cancel', APP, String(task['taskId']))).toEqual([cancelled.stdout, 0]);
    expect(await ran('tasks', 'result', APP, String(task['taskId']))).toEqual([
      '{"error":"Cancelled by the caller"}',
      130,
    ]);
  });

  it(proves('cli.detach', 'a function that never becomes a task cannot be detached from'), async () => {
    const { stderr, code } = await everywire('call', APP, 'Now', '--detach');
    expect([stderr.split('\n')[0], code]).toEqual([
      "error: --detach: Now never becomes a task; its definition needs task: 'allowed' (INVALID_ARGUMENTS)",
      2,
    ]);
  });

  it.each([
    ['a success', ['Divide', '--x', '1', '--y', '4'], []],
    ['a failure', ['Divide', '--x', '1', '--y', '0'], []],
    ['a profile', ['Divide', '--x', '1', '--y', '0'], ['--profile', 'status']],
    ['a format', ['Divide', '--x', '1', '--y', '4'], ['--format', 'yaml']],
    ['a file', ['Print', '--text', 'hello'], []],
  ])(proves('cli.task-result', '%s is printed as the call prints it, to the byte'), async (_what, call, flags) => {
    const plain = await everywire('call', APP, ...call, ...flags);
    const taskId = await start(call[0]!, ...call.slice(1));
    const waited = await everywire('tasks', 'wait', APP, taskId, ...flags);
    const result = await everywire('tasks', 'result', APP, taskId, ...flags);
    expect([waited, result]).toEqual([plain, plain]);
  });

  it(proves('cli.task-result', '--out writes the bytes of a file'), async () => {
    const out = join(temporaryFolder('out'), 'printed.txt');
    const taskId = await start('Print', '--text', 'hello');
    const { stdout, code } = await everywire('tasks', 'wait', APP, taskId, '--out', out);
    expect([stdout, code, readFileSync(out, 'utf8')]).toEqual(['', 0, 'hello']);
  });

  it(proves('cli.task-result', 'a task that has not ended has none; what to type is on stderr'), async () => {
    const { taskId } = await beginAsking(everywire);
    const { stdout, stderr, code } = await everywire('tasks', 'result', APP, taskId);
    expect([stdout, code]).toEqual(['{"error":"The task has not ended: its status is input_required"}', 1]);
    expect(stderr).toContain(`To answer: everywire tasks answer ${APP} ${taskId}\n`);
  });

  it(proves('cli.task-wait', 'a call that always is a task is done by a worker'), async () => {
    const stderr = worker.stderr();
    const here = await run(['dist/bin/everywire.js', 'call', APP, 'Process'], undefined, { EVERYWIRE_STORE: '' });
    const there = await everywire('call', APP, 'Process');
    expect([here.code, there.code, there.stderr]).toEqual([0, 0, '']);
    expect(there.stdout).toBe(`{"result":${worker.child.pid}}`);
    expect(here.stdout).not.toBe(there.stdout);
    expect(worker.stderr()).toBe(stderr);
  });

  it(proves('cli.task-wait', '--stream prints the progress of the task'), async () => {
    const { stdout } = await everywire('call', APP, 'Report', '--rows', '3', '--every', '400', '--stream');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; data: { done?: number } });
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { result: { rows: 3 } } });
    expect(events.filter(({ event }) => event === 'progress').map(({ data }) => data.done)).toContain(2);
  });

  it(proves('cli.task-exit', 'with --cancel-on-exit, it also ends the task'), async () => {
    const flags = ['--rows', '2', '--every', '10000', '--stream', '--cancel-on-exit'];
    const command = startEverywire(['call', APP, 'Report', ...flags], { EVERYWIRE_STORE: redis.url });
    await expect.poll(() => command.stdout(), { timeout: 20_000 }).toContain('progress');
    expect(await stop(command, 'SIGINT')).toBe(130);
    expect(command.stderr()).toBe('error: Cancelled by the caller (CANCELLED)\n');
    const [newest] = JSON.parse((await everywire('tasks', 'list', APP, '--limit', '1')).stdout) as { status: string }[];
    expect(newest).toMatchObject({ name: 'Report', status: 'cancelled' });
  });

  it(proves('cli.task-answer', 'answers are given as JSON, on the command line or on stdin'), async () => {
    for (const [what, input, stdin] of [
      ['a', '{"question1":{"action":"accept","content":{"sure":true}}}'],
      ['b', '-', '{"question1":{"action":"accept","content":{"sure":false}}}'],
    ] as const) {
      const { taskId } = await beginAsking(everywire, what);
      const answered = await everywireWith(redis.url, stdin)('tasks', 'answer', APP, taskId, '--input', input);
      expect([answered.stdout, answered.code]).toEqual(['{}', 0]);
      const { stdout } = await everywire('tasks', 'wait', APP, taskId);
      expect(stdout).toBe(`{"result":"${what === 'a' ? 'Removed a' : 'Kept b'}"}`);
    }
  });

  it(proves('cli.task-answer', 'without a terminal, and without --input, the command is refused'), async () => {
    expect(await ran('tasks', 'answer', APP, 'unknown')).toEqual([
      '{"error":"Without a terminal, the answers are given with --input"}',
      2,
    ]);
    expect(await ran('tasks', 'answer', APP, 'unknown', '--input', '[]')).toEqual([
      '{"error":"Invalid arguments: /inputResponses: expected object, got array"}',
      2,
    ]);
  });

  it(proves('cli.tasks', 'lists are the newest first, for programs and as a table'), async () => {
    const [first, second] = [await start('Divide', '--x', '1', '--y', '2'), await start('Print', '--text', 'x')];
    const listed = JSON.parse((await everywire('tasks', 'list', APP)).stdout) as { taskId: string }[];
    const places = [first, second].map((id) => listed.findIndex(({ taskId }) => taskId === id));
    expect(places[0]).toBeGreaterThan(places[1]!);
    const { stdout } = await everywire('tasks', 'list', APP, '--format', 'table');
    expect(stdout).toMatch(new RegExp(`^id +function +status +age.*\\n-.*\\n(.*\\n)*${first}  Divide `));
  });

  it(proves('cli.tasks', 'counts say what is there, and how old'), async () => {
    await beginAsking(everywire);
    const stats = JSON.parse((await everywire('tasks', 'stats', APP)).stdout) as Record<string, unknown>;
    expect(Object.keys(stats)).toEqual(['byStatus', 'dead', 'waiting', 'active', 'oldestWorking']);
    expect((stats['byStatus'] as Record<string, number>)['input_required']).toBeGreaterThan(0);
    const { stdout } = await everywire('tasks', 'stats', APP, '--format', 'table');
    expect(stdout).toMatch(/input_required +[1-9]/);
  });

  it(proves('cli.tasks', 'an unknown task has exit code 127; an unknown command is corrected'), async () => {
    for (const action of ['get', 'wait', 'result', 'cancel']) {
      expect(await ran('tasks', action, APP, 'unknown')).toEqual(['{"error":"Task not found: unknown"}', 127]);
    }
    const { stderr, code } = await everywire('tasks', 'cancle', APP, 'unknown');
    expect([stderr, code]).toEqual([
      "error: unknown command 'tasks cancle'\n(Did you mean tasks cancel?)\nSee everywire tasks --help\n",
      2,
    ]);
  });
});

describe('an app as a command', () => {
  it(proves('cli.tasks', 'has the commands for tasks'), async () => {
    const built = await builtModule(APP);
    const { stdout } = await run([built, '--help'], undefined, { EVERYWIRE_STORE: '' });
    expect(stdout).toMatch(/\nTasks:\n {2}tasks .*\n {2}worker /);
    const get = await run([built, 'tasks', 'get', 'unknown'], undefined, { EVERYWIRE_STORE: '' });
    expect([get.code, JSON.parse(get.stdout)]).toEqual([1, { error: expect.stringContaining('Tasks need a store') }]);
  });

  it(proves('cli.tasks', 'and none, if it has no tasks: then it may have a group of that name'), async () => {
    const built = await builtModule('test/apps/to-do.ts');
    expect((await run([built, 'tasks', 'list'])).stdout).toBe('{"result":["Sleep"]}');
    expect((await run([built, '--help'])).stdout).not.toContain('worker');
  });
});

describe('without a store', () => {
  const everywire = everywireWith('');
  const MISSING =
    'Tasks need a store that outlives this process: --store redis://localhost:6379, or the variable EVERYWIRE_STORE';

  it(proves('cli.task-store', 'a call runs in this process; --detach and tasks say what is missing'), async () => {
    const plain = await everywire('call', APP, 'Report', '--rows', '1');
    expect([plain.stdout, plain.code]).toEqual(['{"result":{"rows":1,"written":"2026-01-02T03:04:05.000Z"}}', 0]);
    for (const args of [
      ['call', APP, 'Report', '--detach'],
      ['tasks', 'get', APP, 'unknown'],
      ['tasks', 'stats', APP],
      ['tasks', 'dead', APP],
    ]) {
      const { stdout, code } = await everywire(...args);
      expect([stdout, code]).toEqual([JSON.stringify({ error: MISSING }), 1]);
    }
  });

  it(proves('cli.worker', 'a worker without a store, a reachable one, or something to do is refused'), async () => {
    for (const [args, reason] of [
      [[APP], 'a worker needs the store of the app: --store redis://localhost:6379, or the variable EVERYWIRE_STORE'],
      [
        ['test/apps/settings.ts', '--store', AWAY],
        "a worker has nothing to do: no function of Settings has task: 'allowed' or task: 'always'",
      ],
      [[APP, '--store', AWAY], 'Tasks cannot be reached at the moment'],
    ] as const) {
      const { code, stderr } = await everywire('worker', ...args);
      expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([1, `error: ${reason}`]);
    }
  });
});
