import { expect, it } from 'vitest';
import { fan } from './cases/hostile.ts';
import { compilers, outcomeOf, readSource } from './read-source.ts';

it.each(compilers)('a type of 2^30 objects is refused, with TypeScript $version', async ({ folder }) => {
  const read = await readSource({ 'fan.ts': `${fan}\nexport const last = () => 1;` }, folder);
  expect(outcomeOf(read)).toEqual({
    served: ['last'],
    refused: [expect.stringContaining('fan: The type is too large; use a smaller one')],
  });
});
