import { createApp, defineFunction } from 'everywire';
import { add, divMod, divide, statistics } from './arithmetic.ts';
import { facts } from './facts.ts';

const overflow = { OVERFLOW: { description: 'The result was too large.' } };
const errors = { DIVISION_BY_ZERO: { description: 'The divisor was zero.' } };
const hints = { readOnly: true, idempotent: true };

const int = <const D extends string>(
  description: D,
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
) => ({ type: 'integer', minimum, maximum, description }) as const;
const number = <const D extends string>(description: D) => ({ type: 'number', description }) as const;

export default createApp({
  ...facts,
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds two integers together',
      input: {
        type: 'object',
        properties: { x: int('First integer to add'), y: int('Second integer to add') },
        required: ['x', 'y'],
      },
      output: int('Sum of x and y'),
      errors: overflow,
      hints,
      run: ({ x, y }) => add(x, y),
    }),
    defineFunction({
      name: 'Divide',
      description: 'Divides one number by another',
      input: {
        type: 'object',
        properties: { dividend: number('The number to divide'), divisor: number('The number to divide by; not zero') },
        required: ['dividend', 'divisor'],
      },
      output: number('The quotient'),
      errors: { ...errors, ...overflow },
      hints,
      run: ({ dividend, divisor }) => divide(dividend, divisor),
    }),
    defineFunction({
      name: 'DivMod',
      description: 'Divides integers, giving the quotient and what remains',
      input: {
        type: 'object',
        properties: { x: int('The integer to divide'), y: int('The integer to divide by; not zero') },
        required: ['x', 'y'],
      },
      outputs: [int('Quotient'), int('Remainder')],
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
      input: {
        type: 'object',
        properties: {
          values: { type: 'array', items: { type: 'number' }, minItems: 1, description: 'The numbers' },
          measure: {
            type: 'string',
            enum: ['mean', 'sum', 'largest'],
            description: 'What to compute',
            default: 'mean',
          },
          round: {
            type: 'object',
            properties: {
              digits: int('Digits after the point', 0, 15),
              mode: {
                type: 'string',
                enum: ['nearest', 'down'],
                description: 'Which way to round',
                default: 'nearest',
              },
            },
            required: ['digits'],
            description: 'How to round the result',
          },
        },
        required: ['values'],
      },
      output: {
        type: 'object',
        properties: {
          measure: { type: 'string', description: 'What was computed' },
          value: number('The result'),
          count: int('How many numbers there were'),
        },
        required: ['measure', 'value', 'count'],
        additionalProperties: false,
        description: 'The summary',
      },
      errors: overflow,
      hints: { readOnly: true },
      run: (input) => statistics(input),
    }),
  ],
});
