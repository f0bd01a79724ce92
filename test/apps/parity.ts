import { Failure, createApp, type JsonSchema } from 'everywire';
import fc from 'fast-check';
import { z } from 'zod';
import { fn, record, silent } from '../kit/functions.ts';
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

const hints = { readOnly: true };

const echoes = inputs.map(({ properties, required, strict, closed, coerce }, i) => {
  const input = {
    type: 'object' as const,
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, described(one)])),
    required: required.filter((name) => name in properties),
    ...(closed && { additionalProperties: false }),
  };
  return fn(`Echo${i}`, { strict, coerce, input, output: record, hints }, (given) => given);
});

const CODES = ['NOT_FOUND', 'RATE_LIMITED', 'BAD_REQUEST', 'INVALID_JSON', 'FUNCTION_NOT_FOUND', 'TIMEOUT', 'MY_CODE'];

const message = z.string().describe('What it says');

/** Every way in which a call can end. */
const ends = [
  fn(
    'Fail',
    {
      input: z.object({ code: z.enum(CODES).describe('The code'), message }),
      errors: { MY_CODE: { description: 'Mine', status: 418 } },
      hints,
    },
    (input) => {
      throw new Failure(input.code, input.message, { details: { code: input.code }, retryAfter: 3 });
    },
  ),
  fn('Throw', { input: z.object({ message }), hints }, (input) => {
    throw new Error(input.message);
  }),
  fn(
    'Lie',
    { input: z.object({ value: z.unknown().describe('Anything') }), output: z.number().describe('A number'), hints },
    ({ value }) => value,
  ),
  fn(
    'Several',
    {
      input: z.object({
        text: z.string().default('none').describe('A text'),
        big: z.bigint().optional().describe('Big'),
      }),
      outputs: [z.string().describe('The text'), z.bigint().describe('Its length')],
      hints,
    },
    async ({ text, big = 0n }) => [text, big + BigInt(text.length)],
  ),
  fn(
    'Dates',
    {
      input: z.object({ at: z.date().optional().describe('When') }),
      output: z.date().describe('When'),
      describe: (at) => `At ${String(at)}`,
      hints,
    },
    ({ at = new Date(0) }) => at,
  ),
  fn('Nothing', { hints }, () => {}),
];

export default createApp({
  name: 'Parity',
  version: '1.0.0',
  errors: 'shown',
  log: silent,
  functions: [...echoes, ...ends],
});
