import { Shelf } from '../schema/embed.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Profile } from './profile.ts';

/** `{"result":v}`, `{"result0":…,"result1":…}`, `{}` or `{"error":"…"}`, and no other key. */
export const plain: Profile = {
  name: 'plain',
  mediaType: 'application/json',

  render(outcome, returned) {
    if (!outcome.ok) return { error: outcome.error.message };
    if (returned?.kind === 'one') return { result: outcome.data };
    if (returned?.kind !== 'several') return {};
    return Object.fromEntries((outcome.data as readonly unknown[]).map((value, i) => [`result${i}`, value]));
  },

  successSchema(returned) {
    if (returned.kind === 'none') return { type: 'object', properties: {} };
    if (returned.kind === 'one') return objectOf([['result', returned.schema.json]]);
    return objectOf(returned.schemas.map(({ json }, i) => [`result${i}`, json]));
  },

  failureSchema: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
};

/** An object that has all of these. What a value's schema refers to moves up to the new root. */
function objectOf(fields: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  const shelf = new Shelf('#/$defs/');
  const properties = Object.fromEntries(fields.map(([name, schema]) => [name, shelf.embed(schema, name)]));
  return {
    type: 'object',
    properties,
    required: fields.map(([name]) => name),
    ...(Object.keys(shelf.schemas).length > 0 && { $defs: shelf.schemas }),
  };
}
