import { z } from 'zod';

/** The same for those who take their schemas from zod. */
export const input = z.object({
  x: z.int().describe('First integer to add'),
  y: z.int().describe('Second integer to add'),
});

export const result = z.int().describe('Sum of x and y');

export const output = z.object({ result });
