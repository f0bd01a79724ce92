// Type tests of deps, values and context.call. A line under @ts-expect-error must not compile.
import { createApp, defineFunction, defineWith, type Middleware } from 'everywire';
import { createClient } from 'everywire/client';
import { createTestContext } from 'everywire/testing';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const about = { name: 'App', version: '1' };
const facts = <const Name extends string>(name: Name) => ({ name, description: 'd' });

interface Db {
  find(id: string): Promise<string>;
}
declare const db: Db;

// An app without start compiles as ever, and its functions find nothing in deps and values.
const plain = defineFunction({
  ...facts('Plain'),
  run: (_input, context) => {
    expectTypeOf(context.deps).toEqualTypeOf<{}>();
    // @ts-expect-error nothing is known of it
    void context.deps.db;
  },
});
createApp({ ...about, functions: [plain] });
createApp({ ...about, functions: [plain], start: () => ({ db }), stop: (deps) => void deps.db });
createApp({ ...about, functions: [plain], start: async () => {}, stop: () => {} });

const typed = defineWith<{ deps: { db: Db }; values: { customer: string } }>();
const find = typed.defineFunction({
  ...facts('Find'),
  input: z.object({ id: z.string(), at: z.date().optional() }),
  output: z.object({ name: z.string() }),
  errors: { GONE_AWAY: { description: 'd' } },
  run: async ({ id }, { deps, values }) => {
    expectTypeOf(deps).toEqualTypeOf<{ db: Db }>();
    expectTypeOf(values.customer).toEqualTypeOf<string>();
    // @ts-expect-error values are frozen
    values.customer = 'x';
    return { name: await deps.db.find(id) };
  },
});
const note = typed.defineResource({
  ...facts('note'),
  uri: 'notes://{id}',
  complete: { id: async (word, { deps }) => [await deps.db.find(word)] },
  list: async ({ deps }) => [{ uri: 'notes://1', name: await deps.db.find('1') }],
  read: ({ id }, { deps }) => deps.db.find(id),
});
const hello = typed.definePrompt({ ...facts('hello'), run: (_input, { values }) => values.customer });

const identify = typed.defineMiddleware(async ({ context }, next) => {
  expectTypeOf(context.deps).toEqualTypeOf<{ db: Db }>();
  expectTypeOf(context.values.customer).toEqualTypeOf<string | undefined>();
  return context.env.get('X') ? { ok: true, data: 1 } : next({ customer: 'Ada' });
});
const passOn = typed.defineMiddleware(async (_call, next) => {
  const outcome = await next();
  return outcome;
});
typed.defineMiddleware((_call, next) =>
  // @ts-expect-error a customer is a string
  next({ customer: 1 }),
);

const start = async () => ({ db, more: 1 });
const app = createApp({
  ...about,
  functions: [find, plain],
  resources: [note],
  prompts: [hello],
  middleware: [passOn, identify],
  start,
  stop: (deps) => expectTypeOf(deps.db).toEqualTypeOf<Db | undefined>(),
});
createApp({
  ...about,
  functions: [find],
  start: async ({ env, files, log }) => {
    log.info(env.get('A') ?? files.currentDirectory);
    return { db };
  },
  stop: ({ db: open }) => expectTypeOf(open).toEqualTypeOf<Db | undefined>(),
  middleware: [async (_call, next) => next({ customer: 'Ada' })],
});

// What functions, resources and prompts need must be given.
// @ts-expect-error no start
createApp({ ...about, functions: [find], middleware: [identify] });
// @ts-expect-error start returns something else
createApp({ ...about, functions: [find], middleware: [identify], start: () => ({ database: db }) });
// @ts-expect-error no middleware
createApp({ ...about, functions: [find], start });
// @ts-expect-error a middleware that adds nothing
createApp({ ...about, functions: [find], start, middleware: [passOn] });
// @ts-expect-error a middleware that adds a number
createApp({ ...about, functions: [find], start, middleware: [(_call, next) => next({ customer: 1 })] });
// @ts-expect-error the type Middleware says nothing about values
createApp({ ...about, functions: [find], start, middleware: [identify as Middleware] });
// @ts-expect-error a resource needs them too
createApp({ ...about, functions: [], resources: [note] });
// @ts-expect-error a prompt needs them too
createApp({ ...about, functions: [], prompts: [hello] });

// context.call has the types of the definition.
defineFunction({
  ...facts('Caller'),
  run: async (_input, context) => {
    expectTypeOf(await context.call(find, { id: '1' })).toEqualTypeOf<{ name: string }>();
    expectTypeOf(await context.call(plain)).toEqualTypeOf<undefined>();
    expectTypeOf(await context.call('Find', { id: 1 })).toEqualTypeOf<unknown>();
    // @ts-expect-error an id is required
    await context.call(find);
    // @ts-expect-error an id is a string
    await context.call(find, { id: 1 });
  },
});

// A test must give what a function needs.
void find.run({ id: '1' }, createTestContext({ deps: { db }, values: { customer: 'Ada' } }));
// @ts-expect-error no deps
void find.run({ id: '1' }, createTestContext({ values: { customer: 'Ada' } }));
// @ts-expect-error no values
void find.run({ id: '1' }, createTestContext({ deps: { db } }));
void plain.run({}, createTestContext());

// The type of the app is the same as without them.
expectTypeOf(app.call('Find', { id: '1' })).resolves.toExtend<{ ok: boolean }>();
// @ts-expect-error no such function
void app.call('Nothing');

// A client takes the type of whatever a module exports.
declare const promised: Promise<typeof app>;
declare function made(): Promise<typeof app>;
for (const client of [
  createClient<typeof app>('http://localhost'),
  createClient<typeof promised>('http://localhost'),
  createClient<typeof made>('http://localhost'),
]) {
  const outcome = await client.call('Find', { id: '1' });
  if (outcome.ok) expectTypeOf(outcome.data).toEqualTypeOf<{ name: string }>();
  // @ts-expect-error an id is required
  await client.call('Find');
}
