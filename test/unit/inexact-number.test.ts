import { expect, it } from 'vitest';
import { defineFunction } from '../../src/index.ts';
import { createApp } from '../../src/app/create-app.ts';

it('a number that would be rounded is refused, also if another copy of the package has read it', async () => {
  // Vite loads a module again for another query.
  const copy = '../../src/schema/parse-json.ts?copy';
  const { parseJson } = (await import(copy)) as typeof import('../../src/schema/parse-json.ts');
  const f = defineFunction({
    name: 'F',
    description: 'f',
    input: { type: 'object', properties: { x: { description: 'anything' } } },
    output: { description: 'anything' },
    run: ({ x }: { x?: unknown }) => x as never,
  });
  const app = createApp({ name: 'A', version: '1', functions: [f] });
  expect(await app.call('F', parseJson('{"x":9007199254740993}') as never)).toMatchObject({
    ok: false,
    error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('9007199254740993 is not exact') as string },
  });
});
