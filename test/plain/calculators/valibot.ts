import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { calculatorWith } from './defined.ts';

const integer = (description: string, least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most), v.description(description));
const number = (description: string) => v.pipe(v.number(), v.description(description));
const oneOf = <const T extends readonly string[]>(words: T, description: string) =>
  v.pipe(v.picklist(words), v.description(description));

export default calculatorWith({
  integers: (x, y) => toStandardJsonSchema(v.object({ x: integer(x), y: integer(y) })),
  integer: (description) => toStandardJsonSchema(integer(description)),
  numbers: toStandardJsonSchema(
    v.object({ dividend: number('The number to divide'), divisor: number('The number to divide by; not zero') }),
  ),
  number: (description) => toStandardJsonSchema(number(description)),
  series: toStandardJsonSchema(
    v.object({
      values: v.pipe(v.array(v.number()), v.minLength(1), v.description('The numbers')),
      measure: v.optional(oneOf(['mean', 'sum', 'largest'], 'What to compute'), 'mean'),
      round: v.optional(
        v.pipe(
          v.object({
            digits: integer('Digits after the point', 0, 15),
            mode: v.optional(oneOf(['nearest', 'down'], 'Which way to round'), 'nearest'),
          }),
          v.description('How to round the result'),
        ),
      ),
    }),
  ),
  summary: toStandardJsonSchema(
    v.pipe(
      v.strictObject({
        measure: v.pipe(v.string(), v.description('What was computed')),
        value: number('The result'),
        count: integer('How many numbers there were'),
      }),
      v.description('The summary'),
    ),
  ),
});
