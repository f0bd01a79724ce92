import type { JsonSchema } from 'everywire';

/** A type in the place of a parameter or of a result, the schema that it must become, and values for it. */
export interface Case {
  readonly place: 'parameter' | 'result';
  readonly type: string;
  readonly schema: JsonSchema;
  readonly accepted: readonly unknown[];
  readonly rejected: readonly unknown[];
  /** Declarations that the type needs. */
  readonly types: string;
}

type Make = (
  type: string,
  schema: JsonSchema,
  accepted: readonly unknown[],
  rejected: readonly unknown[],
  types?: string,
) => Case;

const make =
  (place: Case['place']): Make =>
  (type, schema, accepted, rejected, types = '') => ({ place, type, schema, accepted, rejected, types });

export const parameter = make('parameter');
export const result = make('result');

/** What a double represents exactly. */
export const INTEGER = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 } as const;

export const text = { type: 'string' } as const;
export const number = { type: 'number' } as const;
export const none = { type: 'null' } as const;
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const map = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties });
export const words = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });
export const object = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});
