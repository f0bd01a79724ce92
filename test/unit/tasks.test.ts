import { describe, expect, test } from 'vitest';
import { defineFunction } from '../../src/core/function.ts';
import type { Middleware } from '../../src/core/middleware.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { createApp } from '../../src/app/create-app.ts';
import type { App } from '../../src/app/app.ts';
import { followTask } from '../../src/app/find-task.ts';
import type { FoundTask, TaskCaller } from '../../src/app/find-task.ts';
import type { Deferral, Task } from '../../src/core/task.ts';
import type { PrincipalOptions } from '../../src/core/principal.ts';
import { toPrincipal } from '../../src/core/principal.ts';
import { silent, throwing } from '../kit/parts.ts';

const PREFERS: Deferral = { caller: 'prefers', askable: ['elicitation/create'] };
const HERE: TaskCaller = { caller: { wire: 'test' } };
const number = { type: 'integer', description: 'A number' } as const;
const numbers = { type: 'object', properties: { n: number }, required: ['n'] } as const;

const gates = new Map<number, () => void>();
const open = (n: number) => gates.get(n)?.();

const double = defineFunction({
  name: 'Double',
  description: 'Doubles a number',
  task: 'allowed',
  input: numbers,
  output: number,
  run: ({ n }) => n * 2,
});

/** Runs until `open` is called, or its signal is aborted. */
const wait = defineFunction({
  name: 'Wait',
  description: 'Waits',
  task: 'allowed',
  input: numbers,
  output: { type: 'string', description: 'What ended it' },
  run: ({ n }, { signal, progress }) =>
    new Promise<string>((resolve) => {
      progress(n, 10, 'waiting');
      gates.set(n, () => resolve('opened'));
      signal.addEventListener('abort', () => aborted.add(n));
    }),
});
const aborted = new Set<number>();

const always = defineFunction({
  name: 'Always',
  description: 'Is always a task',
  task: 'always',
  timeout: 20,
  output: number,
  run: async (_input, { task }) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return task?.attempt ?? 0;
  },
});

const ask = defineFunction({
  name: 'Ask',
  description: 'Asks twice',
  task: 'allowed',
  output: { type: 'string', description: 'The answers' },
  run: async (_input, context) => {
    const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
    const [first, second] = await Promise.all([
      context.ask(name, 'First?'),
      context.ask(name, 'Second?', { name: 'second' }),
    ]);
    return `${first.name} ${second.name}`;
  },
});

const fail = defineFunction({
  name: 'Fail',
  description: 'Fails',
  task: 'allowed',
  run: throwing(new Error('broken')),
});

const big = defineFunction({
  name: 'Big',
  description: 'Returns a lot',
  task: 'allowed',
  output: { type: 'string', description: 'Much' },
  run: () => 'x'.repeat(10_000),
});

function create(options: Partial<Parameters<typeof createApp>[0]> = {}): App {
  return createApp({
    name: 'Tasks',
    version: '1.0.0',
    functions: [double, wait, always, ask, fail, big],
    limits: { result: 1000 },
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

describe('a call becomes a task', () => {
  const app = create();

  test('if its function allows it and its caller asks for it', async () => {
    const { task, body } = await start(app, 'Double', { n: 21 });
    expect(task).toMatchObject({ status: 'working', ttlMs: 86_400_000, pollIntervalMs: 1000 });
    expect(JSON.parse(body)).toEqual(task);
    const { task: ended, outcome } = await end(app, task);
    expect(ended.status).toBe('completed');
    expect(outcome).toEqual({ ok: true, data: 42 });
  });

  test.each([
    ['Double', 'accepts', 42],
    ['Double', 'refuses', 42],
  ] as const)('%s is called at once if the caller %s tasks', async (name, caller, data) => {
    expect((await start(app, name, { n: 21 }, { caller, askable: [] })).outcome).toEqual({ ok: true, data });
  });

  test('always, unless the caller cannot take one', async () => {
    const { task } = await start(app, 'Always', {}, { caller: 'accepts', askable: [] });
    // Its time limit as a task is another one.
    expect((await end(app, task)).outcome).toEqual({ ok: true, data: 1 });
    const { outcome } = await start(app, 'Always', {}, { caller: 'refuses', askable: [] });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'TASK_REQUIRED' } });
    expect(await app.call('Always')).toEqual({ ok: true, data: 0 });
  });

  test('and the answer comes at once if it is there in time', async () => {
    expect((await start(app, 'Double', { n: 4 }, { ...PREFERS, wait: 10_000 })).outcome).toEqual({ ok: true, data: 8 });
    expect((await start(app, 'Wait', { n: 1 }, { ...PREFERS, wait: 10 })).task.status).toBe('working');
    open(1);
  });
});

describe('a task', () => {
  const app = create();

  test('reports progress, and is cancelled wherever it runs', async () => {
    const { task } = await start(app, 'Wait', { n: 2 });
    for await (const found of followTask(app, HERE, task.taskId)) {
      if (!('task' in found) || !found.task.progress) continue;
      expect(found.task).toMatchObject({ statusMessage: 'waiting', progress: { done: 2, total: 10 } });
      break;
    }
    const cancelled = await operate(app, 'tasks/cancel', { taskId: task.taskId });
    expect(cancelled).toMatchObject({ ok: true, data: { task: { status: 'cancelled' } } });
    await expect.poll(() => aborted.has(2)).toBe(true);
    // What it returns afterwards changes nothing.
    open(2);
    expect((await end(app, task)).outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(await operate(app, 'tasks/cancel', { taskId: task.taskId })).toEqual(cancelled);
  });

  test('asks, and never uses a key twice', async () => {
    const { task } = await start(app, 'Ask', {}, { ...PREFERS, wait: 10_000 });
    expect(Object.keys(task.inputRequests!)).toEqual(['question1', 'second']);
    const { taskId } = task;
    const answer = (key: string, content: object) =>
      operate(app, 'tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content } } });
    await answer('second', { name: 'Lovelace' });
    await answer('unknown', { name: 'x' });
    const partial = await operate(app, 'tasks/get', { taskId });
    expect(Object.keys((partial as any).data.task.inputRequests)).toEqual(['question1']);
    await answer('question1', { name: 5, other: true });
    await expect
      .poll(async () => ((await operate(app, 'tasks/get', { taskId })) as any).data.task.inputRequests)
      .toHaveProperty('question1-2');
    await answer('question1', { name: 'late' }); // answered before
    await answer('question1-2', { name: 'Ada' });
    expect((await end(app, task)).outcome).toEqual({ ok: true, data: 'Ada Lovelace' });
  });

  test('that fails has an answer; one whose result is too large has none', async () => {
    const failed = await end(app, (await start(app, 'Fail')).task);
    expect(failed).toMatchObject({ task: { status: 'completed' }, outcome: { error: { code: 'INTERNAL_ERROR' } } });
    const tooLarge = await end(app, (await start(app, 'Big')).task);
    expect(tooLarge).toMatchObject({
      task: { status: 'failed', statusMessage: expect.stringContaining('the limit is 1000') },
      outcome: { error: { code: 'RESULT_TOO_LARGE' } },
    });
  });
});

test('a task belongs to its principal: for others it does not exist', async () => {
  const app = create({ access: { authenticators: [] } });
  const as = (principal: PrincipalOptions) => ({ principal: toPrincipal(principal, 'key') });
  const ada = as({ id: 'ada' });
  const { task } = await start(app, 'Wait', { n: 3 }, PREFERS, ada);
  const { taskId } = task;
  const strangers = [as({ id: 'bob' }), as({ id: 'ada', kind: 'jwt' }), {}];
  for (const name of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
    for (const stranger of strangers) {
      const foreign = await operate(app, name, { taskId, inputResponses: {} }, stranger);
      const unknown = await operate(app, name, { taskId: taskId.replace(/^./, 'g'), inputResponses: {} }, stranger);
      expect(foreign).toMatchObject({ error: { code: 'TASK_NOT_FOUND', message: `Task not found: ${taskId}` } });
      expect(JSON.stringify(unknown).replaceAll(/: g/g, `: ${taskId[0]}`)).toBe(JSON.stringify(foreign));
    }
  }
  expect(await operate(app, 'tasks/get', { taskId }, ada)).toMatchObject({ ok: true });
  expect(await operate(app, 'tasks/list', {}, as({ id: 'bob' }))).toEqual({ ok: true, data: [] });
  expect(await operate(app, 'tasks/list', {}, ada)).toMatchObject({ data: [{ name: 'Wait', task: { taskId } }] });
  open(3);
});

test('middleware runs around the function of a task, and around what is asked about it', async () => {
  const seen: string[] = [];
  const note: Middleware = (call, next) => {
    seen.push(call.function.operationId);
    return next();
  };
  const app = create({ middleware: [note] });
  await end(app, (await start(app, 'Double', { n: 1 })).task);
  expect(seen.filter((name) => name === 'functions.Double')).toHaveLength(1);
  expect(seen).toContain('tasks/get');
});

test('beforeTask asks while the caller waits, and run finds the answers', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
  const greet = defineFunction({
    name: 'Greet',
    description: 'Greets',
    task: 'always',
    output: { type: 'string', description: 'A greeting' },
    beforeTask: (_input, context) => context.ask(schema, 'Who?', { name: 'who' }),
    run: async (_input, context) => `Hello ${(await context.ask(schema, 'Who?', { name: 'who' })).name}`,
  });
  const app = create({ functions: [greet] });
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

test('tasks of a process that ends with its answer need a store', async () => {
  const app = create();
  app.tasks.requireStore();
  const { outcome } = await start(app, 'Double', { n: 1 });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  expect((outcome as any).error.message).toContain('--store');
});

test('when the app closes, running tasks are given back; without a store they are lost, and that is logged', async () => {
  const warnings: string[] = [];
  const log = { debug: () => {}, info: () => {}, warn: (text: string) => void warnings.push(text), error: () => {} };
  const app = create({ log, limits: { drain: 100 } });
  await start(app, 'Wait', { n: 4 });
  await expect.poll(() => gates.has(4)).toBe(true);
  await app.close();
  expect(aborted.has(4)).toBe(true);
  expect(warnings).toContain('1 unfinished tasks are lost: without a store, they end with their process');
});
