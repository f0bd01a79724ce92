import type { SchemaNode } from './schema-node.ts';

/**
 * One validation. Memoizes the result of each schema for each object, so that recursive unions are validated once per
 * place, and not once for every combination of branches above it.
 */
export class Run {
  #verdicts: Map<SchemaNode, Map<object, boolean>> | undefined;

  /** `thorough`: memoize all results, for callers that validate again at each level on the way down. */
  constructor(private readonly thorough = false) {}

  judge(node: SchemaNode, value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !(this.thorough || node.isShared)) {
      return node.accepts(value, this);
    }
    this.#verdicts ??= new Map();
    let known = this.#verdicts.get(node);
    if (!known) this.#verdicts.set(node, (known = new Map()));
    let verdict = known.get(value);
    if (verdict === undefined) known.set(value, (verdict = node.accepts(value, this)));
    return verdict;
  }
}
