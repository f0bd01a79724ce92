// Type tests: compiled by `npm run check`, never run. A line under @ts-expect-error must not compile.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { createApp, defineFunction, Failure, forms, type App, type Code, type Outcome } from 'everywire';
import { createClient } from 'everywire/client';
import * as v from 'valibot';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const facts = <const Name extends string>(name: Name) => ({ name, description: 'd' });

// The types of arguments come from the schema, with every library.
const fromZod = defineFunction({
  ...facts('Zod'),
  input: z.object({ n: z.int(), unit: z.enum(['C', 'F']).default('C'), tags: z.array(z.string()).optional() }),
  output: z.object({ at: z.string(), n: z.number().default(1) }),
  errors: { TOO_HOT: { description: 'It is too hot.' } },
  run: (input, context) => {
    expectTypeOf(input).toEqualTypeOf<{ n: number; unit: 'C' | 'F'; tags?: string[] | undefined }>();
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
    return { at: 'now' };
  },
});

defineFunction({
  ...facts('Valibot'),
  input: toStandardJsonSchema(v.object({ n: v.number(), word: v.optional(v.string()) })),
  run: (input) => expectTypeOf(input).toEqualTypeOf<{ n: number; word?: string | undefined }>() as never,
});

defineFunction({
  ...facts('Arktype'),
  input: type({ n: 'number', 'word?': "'a'|'b'" }),
  run: (input) => expectTypeOf(input).toEqualTypeOf<{ n: number; word?: 'a' | 'b' }>() as never,
});

const fromJson = defineFunction({
  ...facts('Json'),
  input: {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      word: { type: 'string' },
      unit: { enum: ['C', 'F'] },
      fallback: { type: 'string', default: 'x' },
      list: { type: 'array', items: { type: ['number', 'null'] } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      inner: { type: 'object', properties: { deep: { type: 'boolean' } }, required: ['deep'] },
      place: { $ref: '#/$defs/Place' },
      when: forms.date,
      big: forms.bigint,
    },
    required: ['n', 'unit', 'inner', 'when', 'big'],
    $defs: { Place: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  },
  outputs: [{ type: 'integer' }, { type: 'string' }],
  run: (input) => {
    expectTypeOf(input).toEqualTypeOf<{
      n: number;
      unit: 'C' | 'F';
      fallback: string;
      inner: { deep: boolean };
      when: Date;
      big: bigint;
      word?: string;
      list?: (number | null)[];
      pair?: [string, number];
      place?: { name: string };
    }>();
    return [1, 'two'] as const;
  },
});

// The returned value must match the output schema.
// @ts-expect-error a string is not an integer
defineFunction({ ...facts('Wrong'), output: z.int(), run: () => 'seven' });
// @ts-expect-error one value is not two
defineFunction({ ...facts('Wrong'), outputs: [z.int(), z.int()], run: () => [1] as const });
// Several values need no `as const`.
defineFunction({ ...facts('Several'), outputs: [z.int(), z.string()], run: () => [1, 'x'] });
defineFunction({ ...facts('Several'), outputs: [{ type: 'integer' }, { type: 'string' }], run: () => [1, 'x'] });
defineFunction({ ...facts('Several'), outputs: [z.int(), z.string()], run: async () => [1, 'x'] });
defineFunction({
  ...facts('Several'),
  input: z.object({ n: z.int() }),
  outputs: [z.int(), z.string()],
  run: async ({ n }) => (n > 1 ? [n, 'x'] : new Failure('X', 'x')),
});
// @ts-expect-error the second is a string
defineFunction({ ...facts('Wrong'), outputs: [z.int(), z.string()], run: () => [1, 2] });
// @ts-expect-error there are two
defineFunction({ ...facts('Wrong'), outputs: [z.int(), z.string()], run: () => [1, 'x', 3] });
// @ts-expect-error y is not in the schema
defineFunction({ ...facts('Wrong'), input: z.object({ x: z.int() }), output: z.int(), run: ({ y }) => y });
// @ts-expect-error a description is required
defineFunction({ name: 'Wrong', run: () => {} });
// A failure may always be returned.
defineFunction({ ...facts('Fails'), output: z.int(), run: () => new Failure('NOT_FOUND', 'Nothing there') });
defineFunction({
  ...facts('Fails'),
  output: z.int(),
  run: async () => (Math.random() > 2 ? 1 : new Failure('X', 'x')),
});

// What a generator yields and returns must match the schemas.
const counts = defineFunction({
  ...facts('Counts'),
  input: z.object({ to: z.int() }),
  yields: z.object({ n: z.int(), at: z.date() }),
  output: z.int(),
  async *run({ to }) {
    expectTypeOf(to).toEqualTypeOf<number>();
    yield { n: 1, at: new Date() };
    return to;
  },
});
defineFunction({
  ...facts('LastIsAnswer'),
  output: z.int(),
  async *run() {
    yield 1;
  },
});
defineFunction({
  ...facts('MayFail'),
  outputs: [z.int(), z.string()],
  async *run() {
    yield 'anything';
    if (Math.random() > 2) return new Failure('X', 'x');
    return [1, 'x'];
  },
});
defineFunction({ ...facts('Returned'), yields: z.int(), output: z.int(), run: async () => ints() });
async function* ints() {
  yield 1;
}
// @ts-expect-error a string is not an integer
defineFunction({ ...facts('Wrong'), yields: z.string(), output: z.int(), run: () => ints() });
defineFunction({
  ...facts('Wrong'),
  output: z.int(),
  // @ts-expect-error a string is not an integer
  async *run() {
    yield 1;
    return 'seven';
  },
});

// An app knows its functions by name.
const reset = defineFunction({ ...facts('Reset'), run: () => {} });
const app = createApp({ name: 'Types', version: '1', functions: [fromZod, fromJson, reset, counts] });

const json = { n: 1, unit: 'C', inner: { deep: true }, when: new Date(), big: 1n } as const;

export async function calls(): Promise<void> {
  expectTypeOf(await app.call('Zod', { n: 1 })).toEqualTypeOf<Outcome<{ at: string; n: number }, 'TOO_HOT' | Code>>();
  expectTypeOf(await app.call('Reset')).toEqualTypeOf<Outcome<undefined, Code>>();
  const stream = app.stream('Counts', { to: 3 });
  for await (const chunk of stream) expectTypeOf(chunk).toEqualTypeOf<{ n: number; at: Date }>();
  expectTypeOf(await stream.outcome).toEqualTypeOf<Outcome<number, Code>>();
  // @ts-expect-error an argument is missing
  app.stream('Counts');
  const client = createClient<typeof app>('http://localhost:8080');
  const remote = client.stream(
    'Counts',
    { to: 3 },
    { onProgress: ({ done }) => expectTypeOf(done).toEqualTypeOf<number>() },
  );
  for await (const chunk of remote) expectTypeOf(chunk).toEqualTypeOf<{ n: number; at: Date }>();
  expectTypeOf(await remote.outcome).toEqualTypeOf<Outcome<number, Code>>();
  for await (const chunk of createClient('http://localhost:8080').stream('Any'))
    expectTypeOf(chunk).toEqualTypeOf<unknown>();
  // Callers may omit fields with a default, with every library.
  expectTypeOf(await app.call('Json', json)).toEqualTypeOf<Outcome<[number, string], Code>>();
  // @ts-expect-error no function has this name
  await app.call('functions.Zod', { n: 1 });
  // @ts-expect-error n is required
  await app.call('Zod');
  // An app of unknown type accepts any name.
  expectTypeOf(await anyApp.call('functions.Zod', { anything: true })).toEqualTypeOf<Outcome>();
  // @ts-expect-error n is a number
  await app.call('Zod', { n: '1' });
}

// Every typed app is assignable to App.
export const anyApp: App = app as App;
expectTypeOf<NonNullable<(typeof fromZod)['~types']>['errorCode']>().toEqualTypeOf<'TOO_HOT'>();

// additionalProperties, items after a tuple, and allOf.
const open = defineFunction({
  ...facts('Open'),
  input: {
    type: 'object',
    properties: {
      map: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], additionalProperties: true },
      row: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      both: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'integer' } } },
        ],
      },
    },
    required: ['map', 'row', 'both'],
  },
  run: ({ map, row, both }) => {
    expectTypeOf(map.id).toEqualTypeOf<string>();
    expectTypeOf(map['other']).toEqualTypeOf<unknown>();
    expectTypeOf(row).toEqualTypeOf<[string, ...number[]]>();
    expectTypeOf(both).toEqualTypeOf<{ a: string; b?: number }>();
  },
});
const openApp = createApp({ name: 'Open', version: '1', functions: [open] });
void openApp.call('Open', { map: { id: 'x', more: 1 }, row: ['a', 1, 2], both: { a: 'x' } });
// @ts-expect-error a required field is missing
void openApp.call('Open', { map: { more: 1 }, row: ['a'], both: { a: 'x' } });

// How HTTP serves a function.
defineFunction({ ...facts('Get'), http: { method: 'GET', path: '/get', cacheControl: 'no-cache' }, run: () => {} });
defineFunction({ ...facts('Put'), http: { method: 'PUT', status: 201 }, run: (_, { setHeader }) => setHeader('a', 1) });
// @ts-expect-error not a method of functions
defineFunction({ ...facts('Trace'), http: { method: 'TRACE' }, run: () => {} });
// @ts-expect-error a path belongs to a function
createApp({ name: 'Paths', version: '1', functions: [], http: { path: '/x' } });

// A file is a File for the function and for callers; the function may return what becomes one.
const fromFile = defineFunction({
  ...facts('FromFile'),
  input: {
    type: 'object',
    properties: { file: forms.file, more: { type: 'array', items: forms.file } },
    required: ['file'],
  },
  output: forms.file,
  run: ({ file, more }) => {
    expectTypeOf(file).toEqualTypeOf<File>();
    expectTypeOf(more).toEqualTypeOf<File[] | undefined>();
    return { name: 'a', stream: file.stream() };
  },
});
const fromZodFile = defineFunction({
  ...facts('FromZodFile'),
  input: z.object({ file: z.file() }),
  output: z.file(),
  run: ({ file }) => (file.size > 1 ? new Uint8Array() : new Blob([file])),
});
const filing = createApp({ name: 'F', version: '1', functions: [fromFile, fromZodFile] });
expectTypeOf(await filing.call('FromFile', { file: new File([], 'a') })).toEqualTypeOf<Outcome<File, Code>>();
expectTypeOf(await filing.call('FromZodFile', { file: new File([], 'a') })).toEqualTypeOf<Outcome<File, Code>>();
// @ts-expect-error: a string is no file
void filing.call('FromFile', { file: 'a' });
// @ts-expect-error: nor is a number
defineFunction({ ...facts('NoFile'), output: forms.file, run: () => 1 });
// What may be anything may not become a stream.
defineFunction({ ...facts('Any'), output: z.any(), run: () => 1 });
