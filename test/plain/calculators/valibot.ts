import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { createApp, defineFunction } from 'everywire';
import * as v from 'valibot';
import { add, divMod, divide, statistics } from './arithmetic.ts';
import { facts } from './facts.ts';

const overflow = { OVERFLOW: { description: 'The result was too large.' } };
const errors = { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } };
const hints = { readOnly: true, idempotent: true };

const int = (description: string, least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(description));
const number = (description: string) => v.pipe(v.number(), v.description(description));

export default createApp({
  ...facts,
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds two integers together',
      input: toStandardJsonSchema(v.object({ x: int('First integer to add'), y: int('Second integer to add') })),
      output: toStandardJsonSchema(int('Sum of x and y')),
      errors: overflow,
      hints,
      run: ({ x, y }) => add(x, y),
    }),
    defineFunction({
      name: 'Divide',
      description: 'Divides one number by another',
      input: toStandardJsonSchema(
        v.object({ dividend: number('The number to divide'), divisor: number('The number to divide by; not zero') }),
      ),
      output: toStandardJsonSchema(number('The quotient')),
      errors: { ...errors, ...overflow },
      hints,
      run: ({ dividend, divisor }) => divide(dividend, divisor),
    }),
    defineFunction({
      name: 'DivMod',
      description: 'Divides integers, giving the quotient and what remains',
      input: toStandardJsonSchema(
        v.object({ x: int('The integer to divide'), y: int('The integer to divide by; not zero') }),
      ),
      outputs: [toStandardJsonSchema(int('Quotient')), toStandardJsonSchema(int('Remainder'))],
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
      input: toStandardJsonSchema(
        v.object({
          values: v.pipe(v.array(v.number()), v.minLength(1), v.description('The numbers')),
          measure: v.optional(v.pipe(v.picklist(['mean', 'sum', 'largest']), v.description('What to compute')), 'mean'),
          round: v.optional(
            v.pipe(
              v.object({
                digits: int('Digits after the point', 0, 15),
                mode: v.optional(
                  v.pipe(v.picklist(['nearest', 'down']), v.description('Which way to round')),
                  'nearest',
                ),
              }),
              v.description('How to round the result'),
            ),
          ),
        }),
      ),
      output: toStandardJsonSchema(
        v.pipe(
          v.strictObject({
            measure: v.pipe(v.string(), v.description('What was computed')),
            value: number('The result'),
            count: int('How many numbers there were'),
          }),
          v.description('The summary'),
        ),
      ),
      errors: overflow,
      hints: { readOnly: true },
      run: (input) => statistics(input),
    }),
  ],
});
