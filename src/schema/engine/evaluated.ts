import type { Run } from './run.ts';
import type { Rule, SchemaNode } from './schema-node.ts';

/** The fields or items that other keywords have evaluated: `unevaluatedProperties` and `unevaluatedItems` skip them. */
export class Evaluated {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();
  /** The number of evaluated items from the start. */
  first = 0;
  /** Whether every field or item is evaluated. */
  all = false;

  hasName(name: string): boolean {
    return this.all || this.names.has(name);
  }

  hasIndex(index: number): boolean {
    return this.all || index < this.first || this.indexes.has(index);
  }
}

/** What the other rules of a schema evaluate, including subschemas for the same value. */
export function evaluatedBefore(rule: Rule, self: SchemaNode, value: unknown, run: Run): Evaluated {
  const evaluated = new Evaluated();
  for (const other of [...self.about(value), ...self.any]) {
    if (other !== rule) other.evaluate?.(value, run, evaluated);
  }
  return evaluated;
}
