import { type } from 'arktype';
import { createApp, type Schema } from 'everywire';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as zod3 } from 'zod/v3';
import { proves } from '../promises.ts';
import { fn, object, silent } from '../kit/functions.ts';

let calls = 0;
let unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  calls = 0;
  unhandled = [];
  process.on('unhandledRejection', onUnhandled);
});
afterEach(async () => {
  // Rejections count as unhandled after the microtasks.
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

const text = z.string().describe('A word');
const once = <T>(value: T) => {
  calls++;
  return value;
};
const later = async <T>(value: T) => {
  calls++;
  await new Promise((resolve) => setTimeout(resolve, 1));
  return value;
};
const fails = async (): Promise<never> => {
  calls++;
  throw new Error('database is down');
};
const failsLater = async (): Promise<never> => {
  await later(true);
  throw new Error('database is down');
};
const throws = () => {
  calls++;
  throw new Error('database is down');
};

/** An app whose functions take such a value, and return one. */
function appOf(schema: Schema) {
  const any = { description: 'It' };
  const takes = fn('In', { input: schema, output: any }, (value) => value);
  const returns = fn('Out', { input: object({ value: any }, []), output: schema }, ({ value }) => value);
  return createApp({ name: 'Once', version: '1', log: silent, functions: [takes, returns] });
}

/** Calls both, once each. */
async function bothWays(schema: Schema, value: unknown = { word: 'a' }) {
  const app = appOf(schema);
  const input = await app.call('In', value as never);
  const inputCalls = calls;
  calls = 0;
  const output = await app.call('Out', { value } as never);
  return { input, inputCalls, output, outputCalls: calls };
}

const zodWord = (word: z.ZodType) => z.object({ word: word.describe('A word') }).describe('Words');

describe('runs once, in arguments and in results:', () => {
  const isFine = () => later(true);
  const slow = text.refine(isFine);
  const miniWord = mini.string().check(mini.refine(isFine), mini.meta({ description: 'A word' }));
  const accepted: Record<string, [schema: Schema, word?: unknown]> = {
    'a synchronous refinement': [zodWord(text.refine(() => once(true)))],
    'an asynchronous refinement': [zodWord(slow)],
    'one that returns a promise, without being async': [zodWord(text.refine(() => Promise.resolve(once(true))))],
    'a refinement of the root': [zodWord(text).refine(() => later(true))],
    'a superRefine': [zodWord(text.superRefine(async () => later(undefined)))],
    'a check': [zodWord(text.check(async () => later(undefined)))],
    'one deep inside': [zodWord(z.array(z.union([z.object({ a: slow }), z.null()]))), [{ a: 'x' }]],
    'one with a default around it': [zodWord(slow.default('b'))],
    'zod/mini': [toJson(mini.object({ word: miniWord }).check(mini.meta({ description: 'Words' })))],
    valibot: [withJson(v.pipeAsync(v.object({ word: v.string() }), v.checkAsync(isFine)))],
    arktype: [
      type({ word: type('string').describe('A word') })
        .narrow(() => once(true))
        .describe('Words') as unknown as Schema,
    ],
  };
  it.each(Object.entries(accepted))(proves('schema.once', '%s'), async (_title, [schema, word = 'a']) => {
    const { input, inputCalls, output, outputCalls } = await bothWays(schema, { word });
    expect(input).toEqual({ ok: true, data: { word } });
    expect(output).toEqual({ ok: true, data: { word } });
    expect([inputCalls, outputCalls]).toEqual([1, 1]);
  });

  it('transforms, synchronous and not', async () => {
    for (const transform of [(word: string) => once(`${word}!`), (word: string) => later(`${word}!`)]) {
      calls = 0;
      const app = appOf(zodWord(z.string().transform(transform)));
      expect(await app.call('In', { word: 'a' } as never)).toEqual({ ok: true, data: { word: 'a!' } });
      expect(await app.call('In', { word: 'b' } as never)).toEqual({ ok: true, data: { word: 'b!' } });
      expect(calls).toBe(2);
    }
  });

  it('a synchronous schema is still answered at once', () => {
    const word = z.string().transform((given) => given.trim());
    const app = appOf(zodWord(word).refine(() => true));
    expect(app.respond({ name: 'In', input: { word: ' a ' } })).toMatchObject({ outcome: { data: { word: 'a' } } });
  });

  it('calls at the same time are not mixed up', async () => {
    const schema = zodWord(text.refine(async (word) => later(word !== 'bad'), { error: 'not this word' }));
    const app = appOf(schema);
    const words = Array.from({ length: 50 }, (_, i) => (i % 7 === 0 ? 'bad' : `w${i}`));
    const outcomes = await Promise.all(words.map((word) => app.call('In', { word } as never)));
    for (const [i, outcome] of outcomes.entries())
      expect(outcome.ok ? outcome.data : outcome.error.message).toEqual(
        words[i] === 'bad' ? 'Invalid arguments: /word: not this word' : { word: words[i] },
      );
    expect(calls).toBe(50);
  });
});

const refused: Record<string, Schema> = {
  synchronous: zodWord(text.refine(() => once(false), { error: 'no' })),
  asynchronous: zodWord(text.refine(() => later(false), { error: 'no' })),
  'with an error function': zodWord(text.refine(() => later(false), { error: () => 'no' })),
  superRefine: zodWord(
    text.superRefine(async (_, context) => {
      await later(false);
      context.addIssue({ code: 'custom', message: 'no' });
    }),
  ),
};
it.each(Object.entries(refused))('refuses in the words of its library, having run once: %s', async (_title, schema) => {
  const { input, inputCalls, output, outputCalls } = await bothWays(schema);
  expect(input).toMatchObject({ error: { code: 'INVALID_ARGUMENTS', message: 'Invalid arguments: /word: no' } });
  expect(output).toMatchObject({ error: { code: 'INVALID_OUTPUT', message: 'Invalid output: /word: no' } });
  expect([inputCalls, outputCalls]).toEqual([1, 1]);
});

describe('a refinement that fails is an outcome, and nothing else:', () => {
  /** A second field that fails. */
  const alsoWith = (how: () => unknown) =>
    z.object({ word: text.refine(fails), other: z.string().default('x').refine(how).describe('B') }).describe('W');
  const failing: Record<string, [schema: Schema, calls: number]> = {
    throws: [zodWord(text.refine(throws)), 1],
    rejects: [zodWord(text.refine(fails)), 1],
    'rejects later': [zodWord(text.refine(failsLater)), 1],
    'two reject at once': [zodWord(text.refine(fails).refine(fails)), 2],
    'two reject one after the other': [zodWord(text.refine(fails).refine(failsLater)), 2],
    'two fields': [alsoWith(failsLater), 2],
    'one rejects, another throws': [alsoWith(throws), 2],
    'superRefine rejects': [zodWord(text.superRefine(fails)), 1],
    'with throw of nothing': [zodWord(text.refine(() => (throws(), true))), 1],
  };
  it.each(Object.entries(failing))('%s', async (_title, [schema, expected]) => {
    const { input, inputCalls, output, outputCalls } = await bothWays(schema);
    const error = { code: 'INTERNAL_ERROR', message: 'database is down' };
    expect(input).toMatchObject({ error });
    expect(output).toMatchObject({ error });
    expect([inputCalls, outputCalls]).toEqual([expected, expected]);
  });

  it('a transform that rejects', async () => {
    const a = z.string().transform(fails).describe('A');
    const app = appOf(z.object({ a, b: z.string().refine(throws).describe('B') }).describe('Both'));
    expect(await app.call('In', { a: 'a', b: 'b' } as never)).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(calls).toBe(2);
  });
});

it('a schema that the author uses elsewhere stays what it was', async () => {
  const schema = zodWord(text.refine(() => later(true)).transform((word) => word.length));
  await bothWays(zodWord(text.refine(() => true)));
  appOf(schema);
  calls = 0;
  expect(await schema.parseAsync({ word: 'abc' })).toEqual({ word: 3 });
  expect(calls).toBe(1);
  await expect(zodWord(text.refine(fails)).parseAsync({ word: 'abc' })).rejects.toThrow('database is down');
});

it('zod 3 is refused with what to do', () => {
  expect(() => appOf(zod3.object({ a: zod3.string() }) as never)).toThrow('zod 4 (4.2 or newer) is needed, not zod 3');
});

/** zod/mini converts to JSON Schema with a separate function. */
function toJson(schema: mini.ZodMiniType): Schema {
  const json = { input: () => mini.toJSONSchema(schema, { io: 'input' }), output: () => mini.toJSONSchema(schema) };
  return Object.assign(schema, { '~standard': { ...schema['~standard'], jsonSchema: json } }) as unknown as Schema;
}

/** valibot's own converter rejects checks. */
function withJson(schema: { readonly '~standard': object }): Schema {
  const convert = () => ({
    type: 'object',
    properties: { word: { type: 'string', description: 'A word' } },
    description: 'Words',
  });
  return { '~standard': { ...schema['~standard'], jsonSchema: { input: convert, output: convert } } } as never;
}
