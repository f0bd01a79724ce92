import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { size } from '../kit/sizes.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { compileProject } from '../../src/sources/module/bind/project.ts';

const SECRET = 'SECRET';
const NAMES = ['a', 'b', 'c'];

/** Schemas as plain types have them, without maps and values of any type, which may contain everything. */
const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'null' },
      { const: 'a' },
      { enum: ['a', 1] },
    ),
    tie('schema').map((items): JsonSchema => ({ type: 'array', items })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonSchema => ({ anyOf })),
    fc
      .tuple(fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }), fc.subarray(NAMES))
      .map(([properties, required]): JsonSchema => ({
        type: 'object',
        properties,
        required: required.filter((name) => Object.hasOwn(properties, name)),
      })),
  ),
}));

/** Values with a secret in each object. They are often, but not always, of a schema like those above. */
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>('a', 1, null, undefined, 'text', 7),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 3 })
      .map((fields) => ({ ...fields, password: SECRET })),
  ),
}));

it('what is not described never leaves, whatever the schema is and whatever is returned', () => {
  const ajv = new Ajv2020({ strict: false });
  let valid = 0;
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const sent: unknown = compileProject(schema)(value);
      if (!ajv.validate(schema, JSON.parse(JSON.stringify(sent ?? null)))) return; // is not sent
      if (value !== null && typeof value === 'object') valid++;
      expect(JSON.stringify(sent)).not.toContain(SECRET);
    }),
    { numRuns: size(300, 20_000) },
  );
  expect(valid).toBeGreaterThan(size(3, 200));
});
