import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { createApp, defineFunction, forms, type FunctionDefinition, type Schema } from 'everywire';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';

expectErrors(/Invalid output/);

const facts = { name: 'Repeat', description: 'Repeats a word' } as const;
const appOf = (...functions: FunctionDefinition[]) => createApp({ name: 'L', version: '1', functions });
const repeat = ({ word, times }: { word: string; times?: number | undefined }) => word.repeat(times ?? 1);

// Not inlined: TypeScript would lose the return type of arktype's describe.
const words = type('string').describe('The words');

const libraries: Record<string, FunctionDefinition> = {
  'zod 4': defineFunction({
    ...facts,
    input: z.object({
      word: z.string().min(1).describe('Word'),
      times: z.int().min(1).optional().describe('How often'),
    }),
    output: z.string().describe('The words'),
    run: repeat,
  }),
  valibot: defineFunction({
    ...facts,
    input: toStandardJsonSchema(
      v.object({
        word: v.pipe(v.string(), v.minLength(1), v.description('Word')),
        times: v.pipe(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), v.description('How often')),
      }),
    ),
    output: toStandardJsonSchema(v.pipe(v.string(), v.description('The words'))),
    run: repeat,
  }),
  arktype: defineFunction({
    ...facts,
    input: type({
      word: type('string >= 1').describe('Word', 'self'),
      'times?': type('number.integer >= 1').describe('How often', 'self'),
    }),
    output: words,
    run: repeat,
  }),
  'JSON Schema': defineFunction({
    ...facts,
    input: {
      type: 'object',
      properties: {
        word: { type: 'string', minLength: 1, description: 'Word' },
        times: { type: 'integer', minimum: 1, description: 'How often' },
      },
      required: ['word'],
    },
    output: { type: 'string', description: 'The words' },
    run: repeat,
  }),
};

describe.each(Object.entries(libraries))('with %s', (_name, definition) => {
  const app = appOf(definition);

  it(proves('build.libraries', 'calls, repairs, drops, and refuses alike'), async () => {
    expect(await app.call('Repeat', { word: 'ab', times: 2 })).toEqual({ ok: true, data: 'abab' });
    expect(await app.call('Repeat', { word: 'ab', times: '2', extra: 1 })).toEqual({ ok: true, data: 'abab' });
    expect(await app.call('Repeat', { word: 'ab', times: null })).toEqual({ ok: true, data: 'ab' });
    const wrong = { word: '', times: 1.5 };
    const problems = '/word: expected at least 1 character, got ""; /times: expected integer, got 1.5';
    expect(await app.call('Repeat', wrong)).toMatchObject({ error: { message: `Invalid arguments: ${problems}` } });
    const returns = appOf({ ...facts, output: definition.input!, run: () => wrong });
    expect(await returns.call('Repeat')).toMatchObject({ error: { message: `Invalid output: ${problems}` } });
  });

  it(proves('build.libraries', 'describes its parameters'), () => {
    expect(app.functions[0]?.inputSchema).toMatchObject({
      type: 'object',
      properties: {
        word: { type: 'string', description: 'Word' },
        times: { type: 'integer', description: 'How often' },
      },
      required: ['word'],
    });
  });
});

it(proves('build.libraries', 'says what to do with a schema that cannot be converted to JSON Schema'), () => {
  const build = (input: never) => () => appOf({ ...facts, input, run: () => {} });
  expect(build(v.object({ word: v.string() }) as never)).toThrow(
    'this valibot schema cannot be converted to JSON Schema; wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  );
  expect(build(mini.object({ word: mini.string() }) as never)).toThrow(
    'this zod schema cannot be converted to JSON Schema',
  );
});

it(proves('input.checked-first', "runs a library's refinements and transforms only on well-formed input"), async () => {
  const refined: unknown[] = [];
  const even = z.int().refine((n) => (refined.push(n), n % 2 === 0), 'must be even');
  const input = z.object({ n: even.transform((n) => n * 10).describe('An even number') });
  const output = z.int().describe('Ten times');
  const app = appOf(defineFunction({ name: 'Even', description: 'Even numbers', input, output, run: ({ n }) => n }));
  expect(await app.call('Even', { n: 4 })).toEqual({ ok: true, data: 40 });
  expect(await app.call('Even', { n: 3 })).toMatchObject({ error: { message: 'Invalid arguments: /n: must be even' } });
  await app.call('Even', { n: 'x' } as never);
  expect(refined).toEqual([4, 3]);
});

it(proves('output.forms', 'dates and big integers of zod travel as text and arrive typed'), async () => {
  let seen: unknown;
  const later = defineFunction({
    name: 'Later',
    description: 'A day later',
    input: z.object({ at: z.date().describe('When'), by: z.bigint().describe('Milliseconds') }),
    output: z.object({ at: z.date(), by: z.bigint() }).describe('When, and by how much'),
    run: ({ at, by }) => ((seen = [at, by]), { at: new Date(at.getTime() + Number(by)), by }),
  });
  const app = appOf(later);
  const outcome = await app.call('Later', { at: '2026-01-01T00:00:00Z', by: '86400000' } as never);
  expect(seen).toEqual([new Date('2026-01-01T00:00:00Z'), 86400000n]);
  // Within the process the values are Date and bigint, as the types say.
  expect(outcome).toEqual({ ok: true, data: { at: new Date('2026-01-02T00:00:00Z'), by: 86400000n } });
  const input = { at: '2026-01-01T00:00:00Z', by: '86400000' };
  const answer = await app.respond({ name: 'Later', input, caller: { wire: 'http' } }, app.profile);
  expect(answer.body).toBe('{"result":{"at":"2026-01-02T00:00:00.000Z","by":"86400000"}}');
  expect(await app.call('Later', { at: new Date(0), by: 1n })).toMatchObject({ ok: true });
  expect(await app.call('Later', { at: 'noon', by: '1.5' } as never)).toMatchObject({ ok: false });
  expect(await app.call('Later', { at: '2016-12-31T23:59:60Z', by: '1' } as never)).toMatchObject({ ok: false });
});

it(proves('output.forms', 'forms are read in unions, maps, tuples and defaults'), async () => {
  const seen: unknown[] = [];
  const kind = (name: string, more: object) =>
    ({ type: 'object', properties: { kind: { const: name }, ...more }, required: ['kind'] }) as const;
  const shape = {
    type: 'object',
    properties: {
      either: { anyOf: [forms.date, { type: 'string' }], description: 'A date or any text' },
      map: { type: 'object', additionalProperties: forms.bigint, description: 'Numbers by name' },
      pair: { type: 'array', prefixItems: [forms.date, { type: 'string' }], description: 'A pair' },
      fallback: { ...forms.date, default: '2024-01-01T00:00:00Z', description: 'Has a default' },
      shape: {
        oneOf: [
          kind('a', { size: { type: 'integer', default: 1 } }),
          kind('b', { color: { type: 'string', default: 'red' } }),
        ],
        description: 'One of two',
      },
    },
  } as const;
  const run = (input: unknown) => void seen.push(input);
  const app = appOf({ name: 'F', description: 'f', input: shape, run });
  const pair = ['2024-01-02T00:00:00Z', 'x'];
  await app.call('F', { either: 'hello', map: { n: '5' }, pair, shape: { kind: 'b' } } as never);
  await app.call('F', { either: '2024-01-03T00:00:00Z' } as never);
  const fallback = new Date('2024-01-01');
  expect(seen).toEqual([
    {
      either: 'hello',
      map: { n: 5n },
      pair: [new Date('2024-01-02'), 'x'],
      shape: { kind: 'b', color: 'red' },
      fallback,
    },
    { either: new Date('2024-01-03'), fallback },
  ]);
});

describe('what a library accepts', () => {
  const iso = (action: v.PipeItem<string, string, v.BaseIssue<unknown>>) =>
    toStandardJsonSchema(v.object({ v: v.pipe(v.string(), action, v.description('d')) }));
  it.each<[name: string, input: Schema, given: unknown, seen: unknown]>([
    ['a zod pattern with flags', z.object({ v: z.string().regex(/^abc$/i).describe('d') }), 'ABC', 'ABC'],
    ['several of them', z.object({ v: z.string().regex(/a/i).regex(/b/).describe('d') }), 'Ab', 'Ab'],
    ['an arktype pattern with flags', type({ v: type(/^abc$/i).describe('d') }), 'ABC', 'ABC'],
    ['a valibot time', iso(v.isoTime()), '10:30', '10:30'],
    ['a valibot date and time', iso(v.isoDateTime()), '2024-01-01T10:30', '2024-01-01T10:30'],
    ['a valibot timestamp', iso(v.isoTimestamp()), '2024-01-01 10:30:00Z', '2024-01-01 10:30:00Z'],
    ['an address in other letters', z.object({ v: z.url().describe('d') }), 'https://münchen.de', 'https://münchen.de'],
    ['a duration', z.object({ v: z.iso.duration().describe('d') }), 'PT0.5S', 'PT0.5S'],
    ['a length in places', iso(v.minLength(2)), '😀', '😀'],
    ['a date that is coerced', z.object({ v: z.coerce.date().describe('d') }), '2024-01-01', new Date('2024-01-01')],
    ['a number that becomes a date', z.object({ v: z.coerce.date().describe('d') }), 86_400_000, new Date(86_400_000)],
    ['a number that becomes a string', z.object({ v: z.coerce.string().describe('d') }), 5, '5'],
    ['a fallback', z.object({ v: z.number().catch(7).describe('d') }), 'x', 7],
    ['a fallback for nothing', z.object({ v: z.number().catch(7).describe('d') }), undefined, 7],
    ['a valibot fallback', toStandardJsonSchema(v.object({ v: v.fallback(v.number(), 7) })), undefined, 7],
    ['a preprocessed nothing', z.object({ v: z.preprocess((x) => x ?? 5, z.number()).describe('d') }), undefined, 5],
    ['a length after trim', z.object({ v: z.string().trim().max(3).describe('d') }), ' abc ', 'abc'],
    [
      'a list after overwrite',
      z.object({
        v: z
          .array(z.int())
          .overwrite((a) => a.slice(1))
          .max(1),
      }),
      ['1', 2],
      [2],
    ],
    ['a coerced boolean', z.object({ v: z.coerce.boolean().describe('d') }), 'yes', true],
    ['a coerced boolean that says no', z.object({ v: z.coerce.boolean().describe('d') }), 'false', false],
    ['a coerced number', z.object({ v: z.coerce.number().min(1).describe('d') }), true, 1],
    ['a coerced bigint', z.object({ v: z.coerce.bigint().describe('d') }), 5, 5n],
    [
      'a preprocessed list',
      z.object({
        v: z.preprocess((s) => (typeof s === 'string' ? s.split(',') : s), z.array(z.string())).describe('d'),
      }),
      'a,b',
      ['a', 'b'],
    ],
    ['an arktype date', type({ v: type('Date').describe('d') }), '2024-01-01T00:00:00Z', new Date('2024-01-01')],
    ['an arktype bigint', type({ v: type('bigint').describe('d') }), '12345678901234567890', 12345678901234567890n],
  ])(proves('build.libraries', 'takes its dialect: %s'), async (_, input, given, seen) => {
    let got: unknown;
    const app = appOf({ ...facts, input, run: ({ v: value }: { v: unknown }) => void (got = value) });
    expect(await app.call('Repeat', given === undefined ? {} : { v: given })).toEqual({ ok: true, data: undefined });
    expect(got).toEqual(seen);
  });

  it.each([
    ['a zod literal of a bigint', z.object({ v: z.literal(5n).describe('d') })],
    ['The "map" schema', toStandardJsonSchema(v.object({ v: v.map(v.string(), v.string()) }))],
    ['an arktype Map', type({ v: type('Map').describe('d') })],
    ['an arktype symbol', type({ v: type('symbol').describe('d') })],
  ])(proves('build.libraries', 'is refused at once, if JSON cannot represent it: %s'), (what, input) => {
    expect(() => appOf({ ...facts, input, run: () => {} })).toThrow(
      new RegExp(`${what} cannot be (represented in JSON|converted to JSON Schema)`),
    );
  });

  it(proves('output.described', 'is what a result sends, also where the library keeps more'), async () => {
    const output = type({ id: 'string' }).describe('A user', 'self');
    const run = () => ({ id: 'x', passwordHash: 'h' }) as never;
    expect(await appOf({ ...facts, output, run }).call('Repeat')).toEqual({ ok: true, data: { id: 'x' } });
  });

  it(proves('output.described', 'is also what a toJSON returns'), async () => {
    const output = z.record(z.string(), z.unknown()).describe('A record');
    const run = () => ({ n: 1, toJSON: () => 'text' }) as never;
    expect(await appOf({ ...facts, output, run }).call('Repeat')).toMatchObject({ error: { code: 'INVALID_OUTPUT' } });
  });

  it(proves('output.forms', 'a date is not cut to milliseconds, and a bigint may be an int64'), async () => {
    const n = { ...forms.bigint, description: 'n' };
    const { format: _any, ...any } = n; // as schema libraries describe it
    const properties = { at: { ...forms.date, description: 'd' }, n, any };
    const input = { type: 'object', properties } as const;
    const app = appOf({ name: 'F', description: 'f', input, run: () => {} });
    const refusal = async (given: object) => {
      const outcome = await app.call('F', given as never);
      return outcome.ok ? 'ok' : outcome.error.message;
    };
    expect(await refusal({ at: '2024-01-01T00:00:00.123000Z' })).toBe('ok');
    expect(await refusal({ at: '2024-01-01T00:00:00.123456Z' })).toContain(
      '/at: expected string (date-time) with at most 3 fractional digits',
    );
    expect(await refusal({ n: '9223372036854775807' })).toBe('ok');
    expect(await refusal({ n: '9223372036854775808' })).toContain('/n: expected string (int64)');
    expect(await refusal({ n: 1, any: 1 })).toBe(
      'Invalid arguments: /n: expected integer (int64) as a string, got 1; /any: expected integer as a string, got 1',
    );
    expect(await refusal({ any: 'x' })).toContain('/any: expected integer as a string, got "x"');
  });
});

it(proves('build.descriptions', 'a named schema is described where it is defined'), () => {
  const city = z.string().meta({ id: 'City', description: 'A city' });
  const input = z.object({ from: city, to: city.optional(), via: z.array(city).describe('On the way') });
  const build = (schema: FunctionDefinition['input']) => () =>
    createApp({
      name: 'Named',
      version: '1',
      descriptions: 'required',
      functions: [defineFunction({ ...facts, input: schema!, output: city, run: () => 'Rome' })],
    });
  expect(build(input)).not.toThrow();
  const unnamed = z.string().meta({ id: 'Unnamed' });
  expect(build(z.object({ from: unnamed, to: unnamed }))).toThrow('input: parameter "from" has no description');
});

it(proves('build.libraries', 'descriptions of arktype stay with the app that has them'), () => {
  const before = structuredClone(forms);
  for (const kind of ['Date', 'File', 'bigint'] as const)
    appOf({ ...facts, input: type({ it: type(kind as 'Date').describe('only here') }), run: () => {} });
  expect(forms).toEqual(before);
});

describe('an error message', () => {
  const hidden = { format: 'password', description: 's' } as const;
  const shown = (value: unknown) => `got ${JSON.stringify(value)}`;
  const mail = z.string().refine(() => false, { error: ({ input }) => shown(input) });
  const both = z.object({ open: z.string().optional(), secret: z.string().meta(hidden) });
  const string = { type: 'string', description: 'd' } as const;
  const secret = { ...string, ...hidden };
  const table: Record<string, Schema> = {
    zod: z.object({ open: mail.optional(), secret: mail.meta(hidden) }),
    'zod, of the whole': both.refine(() => false, { error: ({ input }) => shown(input) }),
    valibot: toStandardJsonSchema(
      v.object({
        open: v.optional(v.pipe(v.string(), v.email())),
        secret: v.pipe(v.string(), v.email(), v.metadata(hidden)),
      }),
    ),
    arktype: type({ 'open?': 'string.email', secret: type('string.email').configure({ format: 'password' } as never) }),
    'JSON Schema': {
      type: 'object',
      properties: { open: { ...string, format: 'email' }, secret: { ...secret, maxLength: 3 } },
      required: ['secret'],
    },
  };
  const long = 'x'.repeat(500_000);
  const canary = 'S3cretCanary';
  const inputs = [
    { open: long, secret: canary },
    { secret: long },
    { open: 'Cana', secret: canary },
    { [long]: canary },
  ];
  it.each(Object.entries(table))(proves('input.bounded', 'is short, and repeats no secret: %s'), async (_, schema) => {
    for (const input of [...inputs, canary, JSON.stringify({ secret: { canary } })]) {
      const takes = appOf({ ...facts, input: schema, strict: true, run: () => {} });
      const returns = appOf({ ...facts, output: schema, run: () => input as never });
      for (const app of [takes, returns]) {
        const { body, outcome } = await app.respond({ name: 'Repeat', input, caller: { wire: 'test' } }, 'envelope');
        expect(outcome).toMatchObject({ ok: false, error: { code: expect.stringContaining('INVALID_') as string } });
        if (app === returns && typeof input === 'string') continue; // the arguments are not an object
        expect(body.length).toBeLessThan(20_000);
        expect(body).not.toContain('S3cret');
      }
    }
  });
});

const wrap = (object: string) => `an object whose fields are schemas is not a schema itself; wrap it in ${object}`;
it.each([
  ['zod', { x: z.string() }, wrap('z.object({ … })')],
  ['valibot', { x: v.string() }, wrap('toStandardJsonSchema(v.object({ … }))')],
  ['arktype', { x: type('string') }, wrap('type({ … })')],
  ['zod, deeper', { x: { y: z.string() } }, wrap('z.object({ … })')],
  ['zod and JSON Schema', { x: { type: 'string' }, y: z.string() }, wrap('z.object({ … })')],
  ['a list', [z.string()], 'a list of schemas is not a schema itself'],
  [
    'JSON Schema with zod inside',
    { type: 'object', properties: { 'a/b': z.string() } },
    '#/properties/a~1b is a schema of zod, which JSON Schema cannot contain; use z.object({ … }) for the whole',
  ],
  [
    'zod with an object inside',
    z.object({ x: { y: z.string() } as never }),
    /: this zod schema cannot be converted to JSON Schema \(is each of its fields a schema\?\): /,
  ],
])(
  proves('build.all-at-once', 'a mixture of schemas is a mistake that says what to write: %s'),
  (_, schema, message) => {
    for (const place of ['input', 'output', 'yields'])
      expect(() => appOf({ ...facts, [place]: schema, run: () => {} })).toThrow(
        typeof message === 'string' ? `${place}: ${message}` : message,
      );
  },
);
