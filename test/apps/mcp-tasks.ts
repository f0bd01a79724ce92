import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, createApp, defineResource, forms } from 'everywire';
import { apiKeys } from 'everywire/access';
import { mcpContent } from 'everywire/responses';
import { boolean, fn, hashOf, integer, object, silent, string } from '../kit/functions.ts';

/** Bytes of the result of a task: more than that fails. */
const MOST_RESULT = 200_000;

const allowed = { output: string, task: 'allowed' } as const;
const who = { name: 'who' };
const content = { ...forms.content, description: 'A picture' };
const file = { ...forms.file, description: 'The report' };

const functions = [
  fn('Add', { input: object({ x: integer, y: integer }), output: integer }, ({ x, y }) => x + y),
  fn('Slow', { ...allowed, input: object({ ms: integer, text: string }, ['text']) }, async (input, context) => {
    context.progress(1, 2, 'Half done');
    await sleep(input.ms ?? 0, undefined, { signal: context.signal });
    return input.text;
  }),
  fn('Picture', { ...allowed, output: content }, () => [
    mcpContent.text('A picture'),
    mcpContent.image('aGVsbG8=', 'image/png'),
  ]),
  fn('Report', { ...allowed, output: file }, () => new File(['a,b\n1,2\n'], 'report.csv', { type: 'text/csv' })),
  fn('Fail', { output: string, task: 'always', errors: { NO_SUCH_USER: { description: 'There is none' } } }, () => {
    throw new Failure('NO_SUCH_USER', 'There is no such user', { details: { id: 7 } });
  }),
  fn('Large', allowed, () => 'x'.repeat(MOST_RESULT)),
  fn('Confirm', allowed, async (_, { ask }) => {
    const { ok } = await ask(object({ ok: boolean }), 'Really?', { name: 'consent' });
    return ok ? 'done' : 'left';
  }),
  fn('Pair', allowed, async (_, { ask }) => {
    const [{ name }, { color }] = await Promise.all([
      ask(object({ name: string }), 'Who?', who),
      ask(object({ color: string }), 'Which color?', { name: 'color' }),
    ]);
    return `${name} likes ${color}`;
  }),
  fn(
    'Greet',
    { ...allowed, beforeTask: (_, { ask }) => ask(object({ name: string }), 'Who?', who) },
    async (_, { ask }) => `Hello, ${(await ask(object({ name: string }), 'Who?', who)).name}!`,
  ),
  // Runs until it is cancelled, and reports progress again and again if it is told to.
  fn('Wait', { ...allowed, input: object({ progress: boolean }, []) }, async (input, { signal, progress }) => {
    for (let i = 1; input.progress; i++) {
      progress(i, undefined, `${i}: ${'x'.repeat(2000)}`);
      await sleep(20, undefined, { signal });
    }
    await sleep(2 ** 30, undefined, { signal });
  }),
  // Makes the server notify clients that listen.
  fn('Touch', {}, () => {
    app.changes.listChanged('tools');
    app.changes.resourceUpdated('notes://1');
  }),
];

export const options = {
  name: 'Tasks',
  version: '1.0.0',
  description: 'Calls that become tasks',
  functions,
  resources: [defineResource({ uri: 'notes://1', name: 'note', description: 'A note', read: () => 'A note' })],
  limits: { result: MOST_RESULT },
  log: silent,
};

const app = createApp(options);
export default app;

const keys = {
  [hashOf('key-of-ann')]: { id: 'ann', scopes: ['use'] },
  [hashOf('key-of-bob')]: { id: 'bob', scopes: ['use'] },
  [hashOf('key-of-eve')]: { id: 'eve' },
};

/** The same, for callers with an API key. */
export const createGuarded = () =>
  createApp({
    ...options,
    functions: functions.map((one) => ({ ...one, scopes: ['use'] })),
    access: { authenticators: [apiKeys({ keys })] },
  });
