import type { JsonSchema } from '../json-schema.ts';
import type { SchemaNode } from './schema-node.ts';

/** What a keyword may ask for while its schema is compiled. */
export interface Compilation {
  readonly root: JsonSchema;
  readonly schema: JsonSchema;
  /** The node of the schema itself, which is being made. */
  readonly self: SchemaNode;
  readonly compile: (schema: JsonSchema | boolean) => SchemaNode;
  /** What a reference leads to. */
  readonly target: (ref: string) => SchemaNode;
}
