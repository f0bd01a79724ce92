import { Failure, createApp, defineFunction } from 'everywire';
import type { FunctionDefinition, JsonSchema } from 'everywire';
import fc from 'fast-check';
import { z } from 'zod';
import { schemas } from '../unit/arbitrary-schemas.ts';

/** A generated registry: other functions for another PARITY_SEED, the same for the same. */
const seed = Number(process.env['PARITY_SEED'] ?? 20260728);
const described = (schema: JsonSchema): JsonSchema => ({ ...schema, description: 'Generated' });

const inputs = fc.sample(
  fc.record({
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'wanted', 'value'), schemas, { minKeys: 1, maxKeys: 3 }),
    required: fc.subarray(['a', 'b', 'c', 'wanted', 'value']),
    strict: fc.boolean(),
    closed: fc.boolean(),
    coerce: fc.boolean(),
  }),
  { seed, numRuns: 100 },
);

const echoes = inputs.map(({ properties, required, strict, closed, coerce }, i) =>
  defineFunction({
    name: `Echo${i}`,
    description: 'Returns its arguments',
    strict,
    coerce,
    input: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, described(one)])),
      required: required.filter((name) => name in properties),
      ...(closed && { additionalProperties: false }),
    } as { type: 'object' },
    output: { type: 'object', additionalProperties: true, description: 'What was received' },
    hints: { readOnly: true },
    run: (input) => input,
  }),
);

const CODES = ['NOT_FOUND', 'RATE_LIMITED', 'BAD_REQUEST', 'INVALID_JSON', 'FUNCTION_NOT_FOUND', 'TIMEOUT', 'MY_CODE'];

/** Every way in which a call can end. */
const ends: readonly FunctionDefinition[] = [
  defineFunction({
    name: 'Fail',
    description: 'Fails with a code',
    input: z.object({ code: z.enum(CODES).describe('The code'), message: z.string().describe('What it says') }),
    errors: { MY_CODE: { description: 'Mine', status: 418 } },
    hints: { readOnly: true },
    run: ({ code, message }) => {
      throw new Failure(code, message, { details: { code }, retryAfter: 3 });
    },
  }),
  defineFunction({
    name: 'Throw',
    description: 'Throws what it is given',
    input: z.object({ message: z.string().describe('What it says') }),
    hints: { readOnly: true },
    run: ({ message }) => {
      throw new Error(message);
    },
  }),
  defineFunction({
    name: 'Lie',
    description: 'Returns what it is given as a number',
    input: z.object({ value: z.unknown().describe('Anything') }),
    output: z.number().describe('A number'),
    hints: { readOnly: true },
    run: ({ value }) => value as number,
  }),
  defineFunction({
    name: 'Several',
    description: 'Returns several values, later',
    input: z.object({
      text: z.string().default('none').describe('A text'),
      big: z.bigint().optional().describe('Big'),
    }),
    outputs: [z.string().describe('The text'), z.bigint().describe('Its length')],
    hints: { readOnly: true },
    run: async ({ text, big = 0n }) => [text, big + BigInt(text.length)] as const,
  }),
  defineFunction({
    name: 'Dates',
    description: 'Returns a date, in words too',
    input: z.object({ at: z.date().optional().describe('When') }),
    output: z.date().describe('When'),
    describe: (at) => `At ${String(at)}`,
    hints: { readOnly: true },
    run: ({ at = new Date(0) }) => at,
  }),
  defineFunction({ name: 'Nothing', description: 'Returns nothing', hints: { readOnly: true }, run: () => {} }),
] as never;

export default createApp({
  name: 'Parity',
  version: '1.0.0',
  errors: 'shown',
  log: { debug() {}, info() {}, warn() {}, error() {} },
  functions: [...echoes, ...ends],
});
