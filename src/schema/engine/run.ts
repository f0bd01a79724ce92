import type { SchemaNode } from './schema-node.ts';

/**
 * One validation. It remembers what each schema said of each object, so that a union of schemas that contain
 * themselves is judged once per place, and not once for every combination of branches above it.
 */
export class Run {
  #verdicts: Map<SchemaNode, Map<object, boolean>> | undefined;

  /** `thorough`: remember everything, for those who ask again on the way down. */
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
