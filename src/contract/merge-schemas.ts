import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { effectiveKeywords } from './sameness.ts';

/** What they mean depends on the keywords next to them. */
const DEPENDENT = [
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
  'contains',
  'minContains',
  'maxContains',
  'if',
  'then',
  'else',
];

/**
 * A schema for the values that both allow: what is written next to a union or a reference, and one of the things that it stands
 * for. Where keywords would get in each other's way, the first is kept as a whole in `allOf`.
 */
export function mergeSchemas(shared: JsonSchema, one: JsonSchema): JsonSchema {
  const names = effectiveKeywords(shared);
  if (names.length === 0) return one;
  const isClash = (name: string) => name in one && name !== 'type' && name !== 'required' && name !== 'properties';
  const isDependent = [shared, one].some((schema) => DEPENDENT.some((name) => name in schema));
  if (names.some(isClash) || (isDependent && names.some((name) => name !== 'type')) || sharesFields(shared, one)) {
    const all = Array.isArray(one['allOf']) ? one['allOf'] : [];
    return { ...one, allOf: [...all, Object.fromEntries(names.map((name) => [name, shared[name]]))] };
  }
  return {
    ...Object.fromEntries(names.map((name) => [name, shared[name]])),
    ...one,
    ...typeOfBoth(shared, one),
    ...(shared.properties && one.properties && { properties: { ...shared.properties, ...one.properties } }),
    ...(shared.required && one.required && { required: [...new Set([...shared.required, ...one.required])] }),
  };
}

function sharesFields({ properties: some }: JsonSchema, { properties: others }: JsonSchema): boolean {
  return isRecord(some) && isRecord(others) && Object.keys(some).some((name) => Object.hasOwn(others, name));
}

function typeOfBoth({ type: first }: JsonSchema, { type: second }: JsonSchema): { readonly type?: readonly string[] } {
  if (first === undefined || second === undefined) return {};
  const [some, others] = [[first].flat(), [second].flat()];
  return { type: [...new Set([...some.filter(isIn(others)), ...others.filter(isIn(some))])] };
}

const isIn = (types: readonly string[]) => (type: string) =>
  types.includes(type) || (type === 'integer' && types.includes('number'));
