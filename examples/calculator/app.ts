import { createApp, defineFunction, Failure } from 'everywire';
import { z } from 'zod';

const add = defineFunction({
  name: 'Add',
  description: 'Adds two integers together',
  input: z.object({
    x: z.int().describe('First integer to add'),
    y: z.int().describe('Second integer to add'),
  }),
  output: z.int().describe('Sum of x and y'),
  hints: { readOnly: true, idempotent: true },
  examples: [{ input: { x: 10, y: 20 }, output: 30 }],
  run: async ({ x, y }, { env, files }) => {
    if (env.get('DEBUG') === 'true') await files.append('/debug.log', `Adding ${x} + ${y}\n`);
    return x + y;
  },
});

const divide = defineFunction({
  name: 'Divide',
  description: 'Divides one number by another',
  input: z.object({
    dividend: z.number().describe('The number to divide'),
    divisor: z.number().describe('The number to divide by; not zero'),
  }),
  output: z.number().describe('The quotient'),
  errors: { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } },
  hints: { readOnly: true, idempotent: true },
  examples: [{ input: { dividend: 1, divisor: 4 }, output: 0.25 }],
  run: ({ dividend, divisor }) => {
    if (divisor === 0) throw new Failure('DIVISION_BY_ZERO', 'Cannot divide by zero');
    return dividend / divisor;
  },
});

const divMod = defineFunction({
  name: 'DivMod',
  description: 'Divides integers, giving the quotient and what remains',
  input: z.object({
    x: z.int().describe('The integer to divide'),
    y: z.int().describe('The integer to divide by; not zero'),
  }),
  outputs: [z.int().describe('Quotient'), z.int().describe('Remainder')],
  errors: { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } },
  hints: { readOnly: true, idempotent: true },
  examples: [{ input: { x: 17, y: 5 }, output: [3, 2] }],
  // A failure may be returned as well as thrown.
  run: ({ x, y }) =>
    y === 0 ? new Failure('DIVISION_BY_ZERO', 'Cannot divide by zero') : ([Math.trunc(x / y), x % y] as const),
});

let memory = 0;

const reset = defineFunction({
  name: 'Reset',
  description: 'Clears the memory',
  hints: { destructive: true, idempotent: true },
  run: () => {
    memory = 0;
  },
});

const statistics = defineFunction({
  name: 'Statistics',
  title: 'Describe a series of numbers',
  description: 'Summarises a series of numbers',
  input: z.object({
    values: z.array(z.number()).min(1).describe('The numbers'),
    measure: z.enum(['mean', 'median', 'sum']).default('mean').describe('What to compute'),
    remember: z.boolean().optional().describe('Keep the result in the memory'),
    round: z
      .object({
        digits: z.int().min(0).max(15).describe('Digits after the point'),
        mode: z.enum(['nearest', 'down', 'up']).default('nearest').describe('Which way to round'),
      })
      .optional()
      .describe('How to round the result'),
  }),
  output: z
    .object({
      measure: z.string().describe('What was computed'),
      value: z.number().describe('The result'),
      count: z.int().describe('How many numbers there were'),
      memory: z.number().describe('What the memory holds now'),
    })
    .describe('The summary'),
  examples: [
    {
      title: 'The mean, to one digit',
      input: { values: [1, 2, 4], round: { digits: 1 } },
      output: { measure: 'mean', value: 2.3, count: 3, memory: 0 },
    },
  ],
  run: ({ values, measure, remember, round }) => {
    const exact = measures[measure](values);
    const value = round ? rounders[round.mode](exact * 10 ** round.digits) / 10 ** round.digits : exact;
    if (remember) memory = value;
    return { measure, value, count: values.length, memory };
  },
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const measures = {
  sum,
  mean: (values: readonly number[]) => sum(values) / values.length,
  median(values: readonly number[]) {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  },
};

const rounders = { nearest: Math.round, down: Math.floor, up: Math.ceil };

export default createApp({
  name: 'Calculator',
  version: '1.0.0',
  description: 'Arithmetic, served on every wire.',
  license: { name: 'MIT', identifier: 'MIT' },
  functions: [add, divide, divMod, reset, statistics],
});
