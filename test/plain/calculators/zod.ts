import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';
import { add, divMod, divide, statistics } from './arithmetic.ts';
import { facts } from './facts.ts';

const overflow = { OVERFLOW: { description: 'The result was too large.' } };
const errors = { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } };
const hints = { readOnly: true, idempotent: true };

export default createApp({
  ...facts,
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds two integers together',
      input: z.object({ x: z.int().describe('First integer to add'), y: z.int().describe('Second integer to add') }),
      output: z.int().describe('Sum of x and y'),
      errors: overflow,
      hints,
      run: ({ x, y }) => add(x, y),
    }),
    defineFunction({
      name: 'Divide',
      description: 'Divides one number by another',
      input: z.object({
        dividend: z.number().describe('The number to divide'),
        divisor: z.number().describe('The number to divide by; not zero'),
      }),
      output: z.number().describe('The quotient'),
      errors: { ...errors, ...overflow },
      hints,
      run: ({ dividend, divisor }) => divide(dividend, divisor),
    }),
    defineFunction({
      name: 'DivMod',
      description: 'Divides integers, giving the quotient and what remains',
      input: z.object({
        x: z.int().describe('The integer to divide'),
        y: z.int().describe('The integer to divide by; not zero'),
      }),
      outputs: [z.int().describe('Quotient'), z.int().describe('Remainder')],
      errors,
      hints,
      run: ({ x, y }) => divMod(x, y),
    }),
    defineFunction({
      name: 'Reset',
      description: 'Clears the memory',
      hints: { destructive: true, idempotent: true },
      run: () => {},
    }),
    defineFunction({
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
          value: z.number().describe('The result'),
          count: z.int().describe('How many numbers there were'),
        })
        .describe('The summary'),
      errors: overflow,
      hints: { readOnly: true },
      run: (input) => statistics(input),
    }),
  ],
});
