import type { JsonSchema } from 'everywire';
import { calculatorWith } from './defined.ts';

const integer = (description: string, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER) => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
const number = (description: string) => ({ type: 'number', description });
const oneOf = (words: readonly string[], description: string) => ({
  type: 'string',
  enum: words,
  description,
  default: words[0],
});
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

export default calculatorWith({
  integers: (x, y) => object({ x: integer(x), y: integer(y) }),
  integer: (description) => integer(description),
  numbers: object({ dividend: number('The number to divide'), divisor: number('The number to divide by; not zero') }),
  number,
  series: object(
    {
      values: { type: 'array', items: { type: 'number' }, minItems: 1, description: 'The numbers' },
      measure: oneOf(['mean', 'sum', 'largest'], 'What to compute'),
      round: {
        ...object(
          { digits: integer('Digits after the point', 0, 15), mode: oneOf(['nearest', 'down'], 'Which way to round') },
          ['digits'],
        ),
        description: 'How to round the result',
      },
    },
    ['values'],
  ),
  summary: {
    ...object({
      measure: { type: 'string', description: 'What was computed' },
      value: number('The result'),
      count: integer('How many numbers there were'),
    }),
    additionalProperties: false,
    description: 'The summary',
  },
});
