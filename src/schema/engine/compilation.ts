import type { JsonSchema } from '../json-schema.ts';
import type { SchemaNode } from './schema-node.ts';

/** What the compiler of a keyword is given. */
export interface Compilation {
  readonly root: JsonSchema;
  readonly schema: JsonSchema;
  /** The node of the schema itself, not yet complete. */
  readonly self: SchemaNode;
  readonly compile: (schema: JsonSchema | boolean) => SchemaNode;
  /** The node that a reference points to. */
  readonly target: (ref: string) => SchemaNode;
}
