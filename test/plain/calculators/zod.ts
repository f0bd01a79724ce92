import { z } from 'zod';
import { calculatorWith } from './defined.ts';

const integer = (description: string) => z.int().describe(description);
const number = (description: string) => z.number().describe(description);

export default calculatorWith({
  integers: (x, y) => z.object({ x: integer(x), y: integer(y) }),
  integer,
  numbers: z.object({ dividend: number('The number to divide'), divisor: number('The number to divide by; not zero') }),
  number,
  series: z.object({
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
  summary: z
    .object({
      measure: z.string().describe('What was computed'),
      value: number('The result'),
      count: integer('How many numbers there were'),
    })
    .describe('The summary'),
});
