import { createApp } from 'everywire';
import { z } from 'zod';
import { add, divMod, divide, statistics } from './arithmetic.ts';

const integer = (description: string) => z.int().describe(description);
const number = (description: string) => z.number().describe(description);
const integers = (x: string, y: string) => z.object({ x: integer(x), y: integer(y) });
const overflow = { OVERFLOW: { description: 'The result was too large.' } };
const errors = { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } };
const hints = { readOnly: true, idempotent: true };

/** It is named as the plain module is: after its file, with the version of the tests' package. */
export default createApp({
  name: 'calculator',
  version: '0.0.0',
  functions: [
    {
      name: 'Add',
      description: 'Adds two integers together',
      input: integers('First integer to add', 'Second integer to add'),
      output: integer('Sum of x and y'),
      errors: overflow,
      hints,
      run: ({ x, y }) => add(x, y),
    },
    {
      name: 'Divide',
      description: 'Divides one number by another',
      input: z.object({
        dividend: number('The number to divide'),
        divisor: number('The number to divide by; not zero'),
      }),
      output: number('The quotient'),
      errors: { ...errors, ...overflow },
      hints,
      run: ({ dividend, divisor }) => divide(dividend, divisor),
    },
    {
      name: 'DivMod',
      description: 'Divides integers, giving the quotient and what remains',
      input: integers('The integer to divide', 'The integer to divide by; not zero'),
      outputs: [integer('Quotient'), integer('Remainder')],
      errors,
      hints,
      run: ({ x, y }) => divMod(x, y),
    },
    {
      name: 'Reset',
      description: 'Clears the memory',
      hints: { destructive: true, idempotent: true },
      run: () => {},
    },
    {
      name: 'Statistics',
      description: 'Summarises a series of numbers',
      input: z.object({
        values: z.array(z.number()).min(1).describe('The numbers'),
        measure: z.enum(['mean', 'sum', 'largest']).default('mean').describe('What to compute'),
        round: z
          .object({
            digits: z.int().min(0).max(15).describe('Digits after the point'),
            mode: z.enum(['nearest', 'down']).default('nearest').describe('Which way to round'),
          })
          .optional()
          .describe('How to round the result'),
      }),
      output: z
        .object({
          measure: z.string().describe('What was computed'),
          value: number('The result'),
          count: integer('How many numbers there were'),
        })
        .describe('The summary'),
      errors: overflow,
      hints: { readOnly: true },
      run: (input) => statistics(input),
    },
  ],
});
