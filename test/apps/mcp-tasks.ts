import { Failure, createApp, defineFunction, defineResource, forms } from 'everywire';
import { apiKeys } from 'everywire/access';
import { mcpContent } from 'everywire/responses';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const text = { type: 'string', description: 'Text' } as const;
const field = (name: string, type: 'string' | 'boolean' = 'string') =>
  ({ type: 'object', properties: { [name]: { type } }, required: [name] }) as const;

/** Bytes of the result of a task: more than that fails. */
export const MOST_RESULT = 200_000;

const functions = [
  defineFunction({
    name: 'Add',
    description: 'Adds at once',
    input: {
      type: 'object',
      properties: { x: { type: 'integer', description: 'A number' }, y: { type: 'integer', description: 'A number' } },
      required: ['x', 'y'],
    },
    output: { type: 'integer', description: 'The sum' },
    run: ({ x, y }) => x + y,
  }),
  defineFunction({
    name: 'Slow',
    description: 'Repeats a text, later',
    input: {
      type: 'object',
      properties: { ms: { type: 'integer', description: 'Milliseconds' }, text },
      required: ['text'],
    },
    output: text,
    task: 'allowed',
    run: async (input, { progress, signal }) => {
      progress(1, 2, 'Half done');
      await sleep(input.ms ?? 0, undefined, { signal });
      return input.text;
    },
  }),
  defineFunction({
    name: 'Picture',
    description: 'Content, which may become a task',
    output: { ...forms.content, description: 'A picture' },
    task: 'allowed',
    run: () => [mcpContent.text('A picture'), mcpContent.image('aGVsbG8=', 'image/png')],
  }),
  defineFunction({
    name: 'Report',
    description: 'A file, which may become a task',
    output: { ...forms.file, description: 'The report' },
    task: 'allowed',
    run: () => new File(['a,b\n1,2\n'], 'report.csv', { type: 'text/csv' }),
  }),
  defineFunction({
    name: 'Fail',
    description: 'Always becomes a task, and fails',
    output: text,
    errors: { NO_SUCH_USER: { description: 'There is none', status: 404 } },
    task: 'always',
    run: () => {
      throw new Failure('NO_SUCH_USER', 'There is no such user', { details: { id: 7 } });
    },
  }),
  defineFunction({
    name: 'Large',
    description: 'Returns too much',
    output: text,
    task: 'allowed',
    run: () => 'x'.repeat(MOST_RESULT),
  }),
  defineFunction({
    name: 'Confirm',
    description: 'Asks while it runs',
    output: text,
    task: 'allowed',
    run: async (_input, context) => {
      const { ok } = await context.ask(field('ok', 'boolean'), 'Really?', { name: 'consent' });
      return ok ? 'done' : 'left';
    },
  }),
  defineFunction({
    name: 'Pair',
    description: 'Asks two things at once',
    output: text,
    task: 'allowed',
    run: async (_input, context) => {
      const [{ name }, { color }] = await Promise.all([
        context.ask(field('name'), 'Who?', { name: 'who' }),
        context.ask(field('color'), 'Which color?', { name: 'color' }),
      ]);
      return `${name} likes ${color}`;
    },
  }),
  defineFunction({
    name: 'Greet',
    description: 'Asks before it becomes a task',
    output: text,
    task: 'allowed',
    beforeTask: async (_input, context) => void (await context.ask(field('name'), 'Who?', { name: 'who' })),
    run: async (_input, context) => {
      const { name } = await context.ask(field('name'), 'Who?', { name: 'who' });
      return `Hello, ${name}!`;
    },
  }),
  defineFunction({
    name: 'Wait',
    description: 'Runs until it is cancelled',
    input: { type: 'object', properties: { progress: { type: 'boolean', description: 'Report again and again' } } },
    output: text,
    task: 'allowed',
    run: async (input, { signal, progress }) => {
      for (let i = 1; input.progress; i++) {
        progress(i, undefined, `${i}: ${'x'.repeat(2000)}`);
        await sleep(20, undefined, { signal });
      }
      await sleep(2 ** 30, undefined, { signal });
      return 'never';
    },
  }),
  defineFunction({
    name: 'Touch',
    description: 'Makes the server notify clients that listen',
    run: () => {
      app.changes.listChanged('tools');
      app.changes.resourceUpdated('notes://1');
    },
  }),
];

export const options = {
  name: 'Tasks',
  version: '1.0.0',
  description: 'Calls that become tasks',
  functions,
  resources: [defineResource({ uri: 'notes://1', name: 'note', description: 'A note', read: () => 'A note' })],
  limits: { result: MOST_RESULT },
  log: { debug() {}, info() {}, warn() {}, error() {} },
};

const app = createApp(options);
export default app;

const hash = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** The same, for callers with an API key. */
export const createGuarded = () =>
  createApp({
    ...options,
    functions: functions.map((fn) => ({ ...fn, scopes: ['use'] })),
    access: {
      authenticators: [
        apiKeys({
          keys: {
            [hash('key-of-ann')]: { id: 'ann', scopes: ['use'] },
            [hash('key-of-bob')]: { id: 'bob', scopes: ['use'] },
            [hash('key-of-eve')]: { id: 'eve' },
          },
        }),
      ],
    },
  } as never);
