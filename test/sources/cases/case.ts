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
