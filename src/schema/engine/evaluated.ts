import type { Run } from './run.ts';
import type { Rule, SchemaNode } from './schema-node.ts';

/** What of an object or array some schema has looked at: what `unevaluatedProperties` and `unevaluatedItems` leave out. */
export class Evaluated {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();
  /** So many items from the first. */
  first = 0;
  /** Every field or item. */
  all = false;

  hasName(name: string): boolean {
    return this.all || this.names.has(name);
  }

  hasIndex(index: number): boolean {
    return this.all || index < this.first || this.indexes.has(index);
  }
}

/** What the other rules of a schema, and those of the schemas that they apply to the same value, have looked at. */
export function evaluatedBefore(rule: Rule, self: SchemaNode, value: unknown, run: Run): Evaluated {
  const evaluated = new Evaluated();
  for (const other of [...self.about(value), ...self.any]) {
    if (other !== rule) other.evaluate?.(value, run, evaluated);
  }
  return evaluated;
}
