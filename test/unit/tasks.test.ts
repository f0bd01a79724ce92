import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { createApp } from '../../src/app/create-app.ts';
import { followTask, toFoundTask, type FoundTask, type TaskCaller } from '../../src/app/find-task.ts';
import { awaitTask, followTask as followAsClient, readResult } from '../../src/client/await-task.ts';
import { createClient } from '../../src/client/client.ts';
import { Failure, refuse } from '../../src/core/failure.ts';
import { limitsFrom } from '../../src/core/limits.ts';
import type { Middleware } from '../../src/core/middleware.ts';
import { success, type Outcome } from '../../src/core/outcome.ts';
import { createReport } from '../../src/core/report.ts';
import type { Deferral, Task } from '../../src/core/task.ts';
import { createEnvironment } from '../../src/env/environment.ts';
import { createMemoryState } from '../../src/share/memory-state.ts';
import { MemoryTaskQueue } from '../../src/tasks/memory-queue.ts';
import { MemoryTaskStore } from '../../src/tasks/memory-store.ts';
import type { TaskRecord } from '../../src/tasks/task-record.ts';
import { ProgressWriter } from '../../src/tasks/progress-writer.ts';
import { endOf } from '../../src/tasks/task-end.ts';
import { TaskRecords } from '../../src/tasks/task-records.ts';
import type { RunLeg } from '../../src/tasks/task-queue.ts';
import type { CallTask, FindFunction } from '../../src/tasks/task-runner.ts';
import { Tasks, type TasksOptions } from '../../src/tasks/tasks.ts';
import { createVault } from '../../src/tasks/vault.ts';
import type { Context } from 'everywire';
import { fn, integer, object, silent, string } from '../kit/functions.ts';
import { next, record, SOON } from '../tasks/records.ts';

const PREFERS: Deferral = { caller: 'prefers', askable: ['elicitation/create'] };
const HERE: TaskCaller = { caller: { wire: 'test' } };
const numbers = object({ n: integer });

const gates = new Map<number, () => void>();
const open = (n: number) => gates.get(n)?.();

const double = fn('Double', { task: 'allowed', input: numbers, output: integer }, ({ n }) => n * 2);

/** Runs until `open` is called, or its signal is aborted. */
const wait = fn('Wait', { task: 'allowed', input: numbers, output: string }, ({ n }, { signal, progress }) => {
  progress(n, 10, 'waiting');
  signal.addEventListener('abort', () => aborted.set(n, signal.reason.message));
  return new Promise<string>((resolve) => gates.set(n, () => resolve('opened')));
});
const aborted = new Map<number, string>();

const always = fn('Always', { task: 'always', timeout: 20, output: integer }, async (_input, { task }) => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  return task?.attempt ?? 0;
});

const schema = object({ name: string });
const ask = fn('Ask', { task: 'allowed', output: string }, async (_input, context) => {
  const questions = [context.ask(schema, 'First?'), context.ask(schema, 'Second?', { name: 'second' })] as const;
  const [first, second] = await Promise.all(questions);
  return `${first.name} ${second.name}`;
});

function create(options: Partial<Parameters<typeof createApp>[0]> = {}): App {
  const functions = [double, wait, always, ask];
  return createApp({
    name: 'Tasks',
    version: '1',
    functions,
    errors: 'shown',
    log: silent,
    ...options,
  } as never) as never;
}

async function start(app: App, name: string, input: unknown = {}, deferral = PREFERS, from: Partial<TaskCaller> = {}) {
  const { outcome, body } = await app.respond({ ...HERE, ...from, name, input, deferral }, 'plain');
  return { outcome, body, task: (outcome as { task?: Task }).task! };
}

async function end(app: App, { taskId }: Task, from: Partial<TaskCaller> = {}): Promise<FoundTask> {
  let last: unknown;
  for await (const found of followTask(app, { ...HERE, ...from }, taskId)) last = found;
  return last as FoundTask;
}

const operate = async (app: App, name: string, input: object, from: Partial<TaskCaller> = {}): Promise<Outcome> =>
  (await app.operations.respond({ ...HERE, ...from, name, input })).outcome;

describe('while as many tasks run as may', () => {
  const one = fn('One', { task: 'always', concurrent: 1, input: numbers, output: string }, wait.run as never);

  test.each([
    ['of a function', 'One', {}],
    ['of the app, and as many callers wait as may', 'Wait', { limits: { concurrent: 2, queued: 0 } }],
  ])('%s, others are started, found, listed and cancelled at once, and calls go on', async (_what, name, options) => {
    const app = create({ functions: [double, wait, one, ask], ...options } as never);
    const first = await start(app, name, { n: 101 });
    await expect.poll(() => gates.has(101)).toBe(true);
    const waiting: ReturnType<typeof start>[] = [];
    for (const n of [103, 104]) waiting.push(start(app, name, { n }, { ...PREFERS, wait: 60_000 }));
    await expect.poll(async () => (await app.tasks.stats()).byStatus.working).toBe(3);
    const second = await start(app, name, { n: 102 });
    expect([first.task.status, second.task.status]).toEqual(['working', 'working']);
    for (const operation of ['tasks/get', 'tasks/list'])
      expect(await operate(app, operation, { taskId: second.task.taskId })).toMatchObject({ ok: true });
    expect(await app.call('Double', { n: 4 })).toEqual({ ok: true, data: 8 });
    expect(await operate(app, 'tasks/cancel', { taskId: second.task.taskId })).toMatchObject({ ok: true });
    open(101);
    expect((await end(app, first.task)).task.status).toBe('completed');
    const opening = setInterval(() => [103, 104].forEach(open), 5);
    expect((await Promise.all(waiting)).map(({ outcome }) => outcome.ok)).toEqual([true, true]);
    clearInterval(opening);
    gates.clear();
    await app.close();
  });
});

test.each([
  ['a nested call that is refused', (context: Context) => context.call('Full')],
  ['its own', () => Promise.reject(new Failure('UNAVAILABLE', 'Not now'))],
])('UNAVAILABLE of %s is the answer of a task, which is not run again', async (_what, run) => {
  let runs = 0;
  const outer = fn('Outer', { task: 'always', output: string }, (_input, context) => {
    runs++;
    return run(context);
  });
  // Nobody can wait for it.
  const full = fn('Full', { concurrent: 1, input: object({}), output: string }, () => new Promise<string>(() => {}));
  const app = create({ functions: [outer, full], limits: { queued: 0, drain: 1 } } as never);
  void app.call('Full');
  const { task } = await start(app, 'Outer');
  expect(await end(app, task)).toMatchObject({ outcome: { error: { code: 'UNAVAILABLE' } } });
  expect(runs).toBe(1);
  await app.close();
});

describe('a call becomes a task', () => {
  const app = create();

  test('always, unless the caller cannot take one', async () => {
    // The first task loads what tasks need, which takes longer than the time limit of this function.
    await end(app, (await start(app, 'Double', { n: 1 })).task);
    const { task } = await start(app, 'Always', {}, { caller: 'accepts', askable: [] });
    // Its time limit as a task is another one.
    expect((await end(app, task)).outcome).toEqual({ ok: true, data: 1 });
    const { outcome } = await start(app, 'Always', {}, { caller: 'refuses', askable: [] });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'TASK_REQUIRED' } });
    expect(await app.call('Always')).toEqual({ ok: true, data: 0 });
  });
});

test('middleware runs around the function of a task, and around what is asked about it', async () => {
  const seen: string[] = [];
  const note: Middleware = (call, run) => {
    seen.push(call.function.operationId);
    return run();
  };
  const app = create({ middleware: [note] });
  await end(app, (await start(app, 'Double', { n: 1 })).task);
  expect(seen.filter((name) => name === 'functions.Double')).toHaveLength(1);
  expect(seen).toContain('tasks/get');
});

test('beforeTask asks while the caller waits, and run finds the answers', async () => {
  const who = (context: Context) => context.ask(schema, 'Who?', { name: 'who' });
  const parts = {
    task: 'always',
    output: string,
    beforeTask: (_input: object, context: Context) => who(context),
  } as const;
  const greet = fn('Greet', parts, async (_input, context) => `Hello ${(await who(context)).name}`);
  const app = create({ functions: [greet as never] });
  const asker = {
    answers: { who: { action: 'accept', content: { name: 'Ada' } } },
    can: () => true,
    takes: () => true,
    ask: async () => ({ action: 'accept', content: { name: 'Ada' } }),
  };
  const { outcome } = await app.respond({ ...HERE, name: 'Greet', deferral: PREFERS, asker });
  expect((await end(app, (outcome as { task?: Task }).task!)).outcome).toEqual({ ok: true, data: 'Hello Ada' });
  // Who cannot be asked at once is asked by the task.
  const { task } = await start(app, 'Greet', {}, { ...PREFERS, wait: 10_000 });
  expect(task.status).toBe('input_required');
});

test('mistakes in definitions', () => {
  const wrong = (facts: object) => () => create({ functions: [{ ...double, ...facts } as never] });
  expect(wrong({ task: 'sometimes' })).toThrow('task must be "never", "allowed" or "always", not "sometimes"');
  expect(wrong({ taskTimeout: -1 })).toThrow('taskTimeout must be a non-negative integer');
  expect(wrong({ taskTtl: 1.5 })).toThrow('taskTtl must be a non-negative integer');
  expect(wrong({ task: undefined, taskTtl: 5 })).toThrow('taskTtl needs task: "allowed" or "always"');
  expect(() => create({ store: 'http://localhost' })).toThrow('store: The address of a store looks like redis://');
});

test('when the app closes, running tasks are given back; without a store they are lost, and that is logged', async () => {
  const warnings: string[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };
  const app = create({ log, limits: { drain: 100 } });
  await start(app, 'Wait', { n: 4 });
  await expect.poll(() => gates.has(4)).toBe(true);
  await app.close();
  expect(aborted.get(4)).toBe('The process is stopping');
  expect(warnings).toContain('1 unfinished tasks are lost: without a store, they end with their process');
});

test('a task that has ended is read the same after its function has changed', async () => {
  const later = fn('Double', { task: 'allowed', outputs: [integer, integer] }, () => [1, 2] as const);
  const found = { task: {} as Task, version: 1, name: 'Double', outcome: { ok: true, data: 5 } };
  const read = toFoundTask(create({ functions: [later as never] }), found);
  expect(create().render(read.outcome!, read.fn, create().profile).body).toContain('5');
});

const NINE = '9'.repeat(36);
const TEN = 'a'.repeat(36);

const succeed = async () => success(1);

function createTasks(parts: Partial<TasksOptions> = {}, bytes = 1e6) {
  const store = new MemoryTaskStore({ records: 100, bytes, reserve: bytes / 4 });
  const queue = new MemoryTaskQueue();
  const vault = createVault(undefined);
  const [limits, report] = [limitsFrom({}, []), createReport(silent, false)];
  const tasks = new Tasks({ store, queue, vault, limits, log: silent, report, find: () => succeed, ...parts });
  const add = async (task: TaskRecord) => queue.add(await store.create(task));
  return { tasks, store, add };
}

const GONE: FindFunction = (name) => (name === 'Other' ? undefined : succeed);
const BUSY: FindFunction = (name) => (name === 'Other' ? async () => refuse('UNAVAILABLE', 'Busy') : succeed);

test.each<[string, FindFunction, Partial<TaskRecord>, number]>([
  ['its function is unknown here', GONE, {}, 1],
  ['its key is unknown here', () => succeed, { call: 'aes-gcm:AAAA:AAAA' }, 1],
  ['its arguments are gone', () => succeed, { call: '' }, 1],
  ['the app is busy', BUSY, {}, 3],
])('a task that cannot run because %s loses no attempt and takes no slot', async (_why, find, parts, version) => {
  const { tasks, store, add } = createTasks({ find });
  await add({ ...abandoned(NINE, 0), name: 'Other', ...parts });
  await add(abandoned(TEN, 0));
  await tasks.work(1);
  await expect.poll(async () => (await store.read(TEN))?.status).toBe('completed');
  expect(await store.read(NINE)).toMatchObject({ attempts: 0, status: 'working', version });
  await tasks.close(0);
});

test('a leg that is handed out again goes on, until another process has had it for a while; it reports nothing more', async ({
  onTestFinished,
}) => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let run!: RunLeg;
  let aborts = 0;
  const queue = Object.assign(new MemoryTaskQueue(), {
    work: async (given: RunLeg) => ((run = given), { stop: async () => {} }),
  });
  const calls: Parameters<CallTask>[0][] = [];
  const find = () => (call: Parameters<CallTask>[0]) =>
    new Promise<Outcome>((resolve) => {
      calls.push(call);
      call.onDisconnect?.((outcome) => {
        aborts++;
        resolve(outcome!);
      });
    });
  const { tasks, store, add } = createTasks({ queue, find });
  await add(abandoned(NINE, 0));
  await tasks.work();
  const ends = [1, 2].map(async () => run({ id: NINE, leg: 1 }));
  await expect.poll(() => calls.length).toBe(1);
  const found = (await store.read(NINE))!;
  await store.replace(next(found, { attempts: 2 }));
  calls[0]!.onProgress!({ done: 1 });
  await vi.advanceTimersByTimeAsync(14_000);
  ends.push(run({ id: NINE, leg: 1 })); // by then, the other process is late
  await vi.advanceTimersByTimeAsync(14_000);
  expect([calls.length, aborts, (await store.read(NINE))?.progress]).toEqual([1, 0, undefined]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await Promise.all(ends)).toEqual(['taken over', 'taken over', 'taken over']);
  expect([calls.length, aborts]).toEqual([1, 1]);
  await tasks.close(0);
});

test('an attempt counts once, also if the reply of the store is lost', async () => {
  const attempts: unknown[] = [];
  const find: FindFunction = () => async (call) => (attempts.push(call.task?.attempt), success(1));
  const { tasks, store, add } = createTasks({ find });
  const { replace } = store;
  store.replace = async (changed) => {
    store.replace = replace;
    await replace.call(store, changed);
    throw new Error('Connection lost');
  };
  await add(abandoned(NINE, 0));
  await tasks.work();
  await expect.poll(async () => (await store.read(NINE))?.status, SOON).toBe('completed');
  expect([attempts, await store.read(NINE)]).toMatchObject([[1], { attempts: 1 }]);
  await tasks.close(0);
});

test('a question that JSON cannot carry is a failure of the function, which is not run again', async () => {
  const asks = fn('Asks', { task: 'allowed' }, (_, { request }) => request('elicitation/create', { message: 1n }));
  const app = create({ functions: [asks as never] });
  const { task } = await start(app, 'Asks');
  expect(await end(app, task)).toMatchObject({ outcome: { error: { code: 'INTERNAL_ERROR' } } });
});

describe('with a clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const later = <T>(milliseconds: number, value?: T) =>
    new Promise<T>((resolve) => setTimeout(() => resolve(value as T), milliseconds));

  test('progress is written as fast as the store takes it, whatever the time of day', async () => {
    const written: unknown[] = [];
    const change = async (_id: string, decide: (found: TaskRecord) => unknown) => {
      written.push((decide(task) as TaskRecord).progress?.done);
      await later(1000);
    };
    const task = record();
    const writer = new ProgressWriter(task, { change } as never);
    for (let done = 0; done < 50; done++) {
      if (done === 20) vi.setSystemTime(Date.now() - 3_600_000);
      writer.report({ done });
      await vi.advanceTimersByTimeAsync(100);
    }
    const ended = writer.end();
    await vi.advanceTimersByTimeAsync(2000);
    await ended;
    expect(written).toEqual([0, 10, 20, 30, 40, 49]);
  });

  test('a caller who waits gets the id before the time of the call is over, also from a slow store', async () => {
    const { tasks, store } = createTasks();
    const createNow = store.create.bind(store);
    store.create = async (...given) => later(600, await createNow(...given));
    const slow = { name: 'F', timeout: 1000, definition: {}, takesFiles: false } as never;
    const call = { ...HERE, name: 'F', deferral: { ...PREFERS, wait: 60_000 } } as never;
    const onStart = vi.fn();
    const started = tasks.start(slow, call).then(onStart);
    await vi.advanceTimersByTimeAsync(850);
    expect(onStart).toHaveBeenCalledWith(expect.objectContaining({ ok: true, task: expect.anything() }));
    await started;
  });

  test('an app that is closed while it begins to work leaves no timer behind', async () => {
    const { tasks } = createTasks();
    const working = tasks.work();
    await tasks.close(0);
    await working;
    await tasks.work(); // late
    expect(vi.getTimerCount()).toBe(0);
  });

  const away: Outcome<never> = refuse('UNAVAILABLE', 'Away', { retryAfter: 1 });
  const task = (status: string) => ({ ok: true, data: { taskId: 'a', status, pollIntervalMs: 60_000 } });
  /** Ends when the server was asked often enough. */
  const ended = async (work: Promise<unknown>) => {
    await vi.advanceTimersByTimeAsync(300_000);
    return work;
  };

  test('a client tries again for a minute after a failure, however quiet the task was before', async () => {
    const replies = [task('working'), away, away, task('completed')];
    const get = async () => replies.shift();
    expect(await ended(awaitTask({ get } as never, 'a', undefined, false))).toMatchObject({ ok: true });
    let connections = 0;
    const watch = async function* () {
      yield [task('working'), away, task('completed')][connections++];
      if (connections === 1) await later(61_000); // then the server stops
    };
    const seen: unknown[] = [];
    const follow = async () => {
      for await (const { ok } of followAsClient({ watch } as never, 'a', undefined)) seen.push(ok);
    };
    await ended(follow());
    expect([seen, connections]).toEqual([[true, true], 3]);
  });

  test('a client does not ask without a pause for a result that is never sent, and gives it up', async () => {
    const unfinished = { ok: true, data: undefined, task: { taskId: 'a', status: 'working' } };
    let asked = 0;
    const result = async () => (++asked < 100 ? unfinished : success(1));
    const tasks = { result, get: async () => task('completed') };
    expect(await ended(readResult(tasks as never, 'a', 'F', undefined))).toMatchObject({ ok: false });
  });

  test('a connection that falls silent is given up by a client that waits', async () => {
    let requests = 0;
    const lost = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const line = (status: string) => `${JSON.stringify({ event: 'task', data: task(status).data })}\n`;
    const send = async (url: URL, init: RequestInit) => {
      const isLost = ++requests === 1;
      if (isLost && !url.pathname.endsWith('/events')) return lost(init.signal!);
      if (!url.pathname.endsWith('/events'))
        return Response.json(url.pathname.endsWith('/result') ? { result: 1 } : task('completed').data);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(line(isLost ? 'working' : 'completed')));
          if (isLost) lost(init.signal!).catch((reason: unknown) => controller.error(reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
    };
    const handle = createClient('http://localhost', { fetch: send as never }).resume({ name: 'F', taskId: 'a' });
    expect(await ended(handle.result())).toMatchObject({ ok: true, data: 1 });
    requests = 0;
    const seen: string[] = [];
    const follow = async () => {
      for await (const { status } of handle.events()) seen.push(status);
    };
    await ended(follow());
    expect(seen).toEqual(['working', 'completed']);
  });
});

test('results without room end their tasks, and new tasks are refused', async () => {
  const find = () => async () => success('x'.repeat(20_000));
  const { tasks, store, add } = createTasks({ find }, 100_000);
  const limited = await endOf(success('é'.repeat(600)), new TaskRecords(store, createVault(undefined)), record(), 1000);
  expect(limited.what).toBe('failed: RESULT_TOO_LARGE');
  for (let i = 10; i < 30; i++) await add(abandoned(`${i}`.repeat(18), 0));
  await tasks.work();
  await expect.poll(async () => (await store.stats()).byStatus).toMatchObject({ working: 0, completed: 4, failed: 16 });
  await expect(add(abandoned(NINE, 0))).rejects.toThrow('The task store is full');
  await tasks.close(0);
});

test('whoever waits for a task gets its id, also if the store goes away meanwhile', async () => {
  const { tasks, store } = createTasks();
  store.watch = () => Promise.reject(new Error('away'));
  const slow = { name: 'F', timeout: 0, definition: {}, takesFiles: false } as never;
  const call = { ...HERE, name: 'F', deferral: { ...PREFERS, wait: 1000 } } as never;
  expect(await tasks.start(slow, call)).toMatchObject({ ok: true, task: { status: 'working' } });
  await tasks.work(); // it runs without notifications, too
  await expect.poll(async () => (await store.stats()).byStatus.completed).toBe(1);
  await tasks.close(0);
});

test('without a store, each task has the variables of its own caller', async () => {
  const app = create({
    functions: [fn('T', { task: 'allowed', output: string }, (_, { env }) => env.get('T')!) as never],
  });
  for (const T of ['a', 'b']) {
    const environment = createEnvironment({ env: { T } });
    const { task } = await start(app, 'T', {}, PREFERS, { environment } as never);
    expect((await end(app, task)).outcome).toEqual({ ok: true, data: T });
  }
});

/** As a process leaves it that was killed so often while it worked on the task. */
function abandoned(id: string, attempts: number): TaskRecord {
  const now = Date.now();
  const history = Array.from({ length: attempts }, (_, i) => ({ at: now + i, what: 'started', by: `process-${i}` }));
  const call = JSON.stringify({ caller: { wire: 'test' }, askable: [] });
  return record({ id, owner: '', expiresAt: null, attempts, history, call });
}

test('a task that was started ten times and never finished is given up, and kept with its history', async () => {
  const { tasks, add } = createTasks();
  for (const task of [abandoned(NINE, 9), abandoned(TEN, 10)]) await add(task);
  await tasks.work();
  await expect.poll(async () => (await tasks.stats()).byStatus.working).toBe(0);
  expect(await tasks.get(NINE, '')).toMatchObject({ task: { status: 'completed' } });
  expect(await tasks.get(TEN, '')).toMatchObject({
    task: { status: 'failed', statusMessage: 'Started 10 times and never finished' },
    outcome: { ok: false, error: { code: 'TASK_LOST' }, isByFramework: true },
  });
  const dead = await tasks.dead();
  expect(dead.map(({ id }) => id)).toEqual([TEN]);
  expect(dead[0]!.history.map(({ what }) => what)).toEqual([...Array<string>(10).fill('started'), 'failed: TASK_LOST']);
  expect(await tasks.stats()).toMatchObject({ dead: 1, byStatus: { failed: 1, completed: 1 } });
  await tasks.close(0);
});

describe('tasks in memory', () => {
  const LONG = 'x'.repeat(10_000);
  let store: MemoryTaskStore;
  const openStore = (limits = {}) => (store = new MemoryTaskStore({ records: 100, bytes: 1e6, ...limits }));
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(async () => {
    await store.close();
    vi.useRealTimers();
  });
  const add = async (id: string, parts: Partial<TaskRecord> = {}) => store.create(record({ id, ...parts }));

  it('are limited in number, until one expires', async () => {
    openStore({ records: 2 });
    await add('a', { expiresAt: Date.now() + 1000 });
    const second = await store.create(record(), 'key');
    await expect(add('c')).rejects.toThrow('The task store is full: at most 2 tasks are kept in memory');
    expect(await store.create(record(), 'key')).toEqual(second);
    vi.advanceTimersByTime(2000);
    expect(await add('c')).toMatchObject({ id: 'c' });
  });

  it('are limited in size, but can always fail', async () => {
    openStore({ bytes: 15_000 });
    const task = await add('a', { call: LONG });
    const message = 'The task store is full: at most 15000 bytes of tasks are kept in memory';
    await expect(add('b', { call: LONG })).rejects.toThrow(message);
    await expect(store.replace(next(task, { outcome: LONG }))).rejects.toThrow(message);
    await expect(store.replace(next(task, { outcome: 'x'.repeat(5001) }))).rejects.toThrow(message);
    expect(await store.replace(next(task, { outcome: 'x'.repeat(5000) }))).toBe(true);
    expect(await store.replace(next(next(task), { answers: 'x'.repeat(4096) }))).toBe(true);
    await expect(add('b')).rejects.toThrow(message);
    vi.advanceTimersByTime(60_000);
    expect(await store.read('a')).toBeUndefined();
    expect(await add('b', { call: 'x'.repeat(15_000) })).toMatchObject({ id: 'b' });
  });
});

function atTime() {
  let now = 0;
  return { state: createMemoryState(() => now), pass: (ms: number) => void (now += ms) };
}

describe('shared state in memory', () => {
  it('keeps the first value, for as long as it is asked for', async () => {
    const { state, pass } = atTime();
    expect(await state.add('key', 'first', 100)).toBe('first');
    pass(99);
    expect(await state.add('key', 'second', 100)).toBe('first');
    pass(99);
    expect(await state.add('key', 'second', 100)).toBe('first');
    pass(100);
    expect(await state.add('key', 'third', 100)).toBe('third');
  });

  it('keeps records: fields, claims and limits', async () => {
    const { state, pass } = atTime();
    await state.create('r', { a: '1', owner: '' }, 100);
    expect(await state.keep('r', 200, ['a', 'owner', 'none'], { owner: 'me', a: '2' })).toEqual(['1', 'me', undefined]);
    expect(await state.keep('r', 200, ['owner'], { owner: 'you' })).toEqual(['me']);
    expect(await state.put('r', 'b', '3', 3)).toBe(true);
    expect(await state.put('r', 'c', '4', 3)).toBe(false);
    expect(await state.put('r', 'b', '5', 3)).toBe(true);
    await state.remove('r', 'a');
    expect(await state.read('r')).toEqual({ owner: 'me', b: '5' });
    pass(200);
    expect(await state.keep('r', 100, ['owner'])).toBeUndefined();
    expect(await state.put('r', 'b', '5', 3)).toBe(false);
    expect(await state.read('r')).toEqual({});
    await state.create('r', { a: '1' }, 100);
    await state.delete('r');
    expect(await state.read('r')).toEqual({});
  });

  it('delivers messages to those that listen', async () => {
    const { state } = atTime();
    const heard: string[] = [];
    const forget = await state.subscribe('channel', (message) => void heard.push(message));
    await state.publish('channel', 'one');
    await state.publish('other', 'two');
    forget();
    await state.publish('channel', 'three');
    expect(heard).toEqual(['one']);
  });

  it('is limited: what would be forgotten next goes first', async () => {
    const { state } = atTime();
    await state.create('soon', { a: '1' }, 10);
    for (let i = 0; i < 10_000; i++) await state.create(`r${i}`, { a: '1' }, 1000);
    expect(await state.read('soon')).toEqual({});
    expect(await state.read('r0')).toEqual({ a: '1' });
  });
});

test('what is encrypted cannot be opened for another function or owner', async () => {
  const records = new TaskRecords(new MemoryTaskStore({ records: 1, bytes: 1 }), createVault('k'.repeat(32)));
  const task = record();
  const sealed = { ...task, call: await records.seal(task, 'call', 'secret') };
  expect(await records.open(sealed, 'call')).toBe('secret');
  for (const forged of [{ name: 'Other' }, { owner: 'eve' }, { id: NINE }])
    await expect(records.open({ ...sealed, ...forged }, 'call')).rejects.toThrow('was changed in the store');
});

test('messages of progress are cut, and arguments with nothing but undefined are the same twice', async () => {
  const messages: (string | undefined)[] = [];
  const talk = fn('Talk', { task: 'allowed' }, (_input, { progress }) => progress(1, 2, 'x'.repeat(5000)));
  const app = create({ functions: [talk as never, double as never] });
  await app.respond({ ...HERE, name: 'Talk', onProgress: ({ message }) => void messages.push(message) });
  expect(messages).toEqual(['x'.repeat(1000)]);
  const keyed = { ...PREFERS, idempotencyKey: 'one' };
  const first = await start(app, 'Talk', { v: undefined }, keyed);
  const second = await start(app, 'Talk', { v: undefined }, keyed);
  expect(second.task?.taskId).toBe(first.task.taskId);
  await app.close();
});
