import { describe, expect, test } from 'vitest';
import { defineFunction } from '../../src/core/function.ts';
import type { Middleware } from '../../src/core/middleware.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { createApp } from '../../src/app/create-app.ts';
import type { App } from '../../src/app/app.ts';
import { followTask } from '../../src/app/find-task.ts';
import type { FoundTask, TaskCaller } from '../../src/app/find-task.ts';
import type { Deferral, Task } from '../../src/core/task.ts';
import { silent } from '../kit/parts.ts';

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

function create(options: Partial<Parameters<typeof createApp>[0]> = {}): App {
  return createApp({
    name: 'Tasks',
    version: '1.0.0',
    functions: [double, wait, always, ask],
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

  test.each([
    ['Double', 'accepts', 42],
    ['Double', 'refuses', 42],
  ] as const)('%s is called at once if the caller %s tasks', async (name, caller, data) => {
    expect((await start(app, name, { n: 21 }, { caller, askable: [] })).outcome).toEqual({ ok: true, data });
  });

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

  test('and the answer comes at once if it is there in time', async () => {
    expect((await start(app, 'Double', { n: 4 }, { ...PREFERS, wait: 10_000 })).outcome).toEqual({ ok: true, data: 8 });
    expect((await start(app, 'Wait', { n: 1 }, { ...PREFERS, wait: 10 })).task.status).toBe('working');
    open(1);
  });
});

describe('a task', () => {
  const app = create();

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
