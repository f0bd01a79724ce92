import fc from 'fast-check';
import type { JsonSchema } from '../../src/schema/json-schema.ts';

/** Schemas as people write them, slightly nested. */
export const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonSchema>(
      { type: 'integer' },
      { type: 'number', minimum: 0 },
      { type: 'boolean' },
      { type: 'string' },
      { type: 'null' },
      { type: ['integer', 'null'] },
      { type: ['string', 'number'] },
      { enum: [1, 'a', true] },
      { const: 5 },
      {},
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')), fc.subarray(['a', 'b', 'c']))
      .map(([properties, required]) => ({ type: 'object', properties, required })),
  ),
}));

export const values = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('1', '2.5', 'true', '0', '{"a":"1"}', '[1,"2"]', '1.9', ''),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<unknown>('1', null, 1, 'x', '{"a":1}', ['1'])),
) as fc.Arbitrary<unknown>;
