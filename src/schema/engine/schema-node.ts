import type { JsonSchema } from '../json-schema.ts';
import type { Evaluated } from './evaluated.ts';
import type { Place } from './place.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';

/** What one keyword of a schema requires. It is applied only to values of its kind. */
export interface Rule<Value = any> {
  /** Whether the value is valid. */
  readonly accepts: (value: Value, run: Run) => boolean;
  /** Reports the problems, if there are any. */
  readonly explain: (value: Value, place: Place | undefined, report: Report) => void;
  /** Records which fields or items it describes. */
  readonly evaluate?: (value: Value, run: Run, evaluated: Evaluated) => void;
}

/** The kinds of values that keywords apply to. */
export type Kind = 'any' | 'number' | 'string' | 'array' | 'object';

/** A compiled schema: its rules by the kind of value that they apply to. */
export class SchemaNode {
  /** Several branches may validate one value against it: its results are memoized. */
  isShared = false;
  /** `type`, `enum` and `const`. If they reject the value, nothing else is checked. */
  typeRule: Rule | undefined;
  readonly any: Rule[] = [];
  readonly number: Rule[] = [];
  readonly string: Rule[] = [];
  readonly array: Rule[] = [];
  readonly object: Rule[] = [];

  /** Whether the value is valid. */
  accepts: (value: unknown, run: Run) => boolean = (value, run) => this.#judge(value, run);

  constructor(readonly schema: JsonSchema | boolean) {}

  /** Called when all rules are known: if the schema names one type, as most do, only the rules for it can apply. */
  settle(): void {
    const { typeRule, schema } = this;
    if (!typeRule || typeof schema === 'boolean' || typeof schema.type !== 'string') return;
    const kind = schema.type === 'integer' ? 'number' : schema.type;
    const rules = kind === 'boolean' || kind === 'null' ? this.any : [...this[kind as Kind], ...this.any];
    const isOfType = typeRule.accepts;
    this.accepts = rules.length === 0 ? isOfType : (value, run) => isOfType(value, run) && all(rules, value, run);
  }

  #judge(value: unknown, run: Run): boolean {
    if (this.typeRule !== undefined && !this.typeRule.accepts(value, run)) return false;
    return all(this.about(value), value, run) && all(this.any, value, run);
  }

  explain(value: unknown, place: Place | undefined, report: Report): void {
    if (this.typeRule && !this.typeRule.accepts(value, report.run)) return this.typeRule.explain(value, place, report);
    // Skips valid objects by the memoized result: otherwise every path through the branches would be walked.
    if (typeof value === 'object' && report.run.judge(this, value)) return;
    for (const rule of this.about(value)) if (!report.isFull) rule.explain(value, place, report);
    for (const rule of this.any) if (!report.isFull) rule.explain(value, place, report);
  }

  evaluate(value: unknown, run: Run, evaluated: Evaluated): void {
    for (const rule of this.about(value)) rule.evaluate?.(value, run, evaluated);
    for (const rule of this.any) rule.evaluate?.(value, run, evaluated);
  }

  /** The rules for the kind of this value. */
  about(value: unknown): readonly Rule[] {
    switch (typeof value) {
      case 'string':
        return this.string;
      case 'number':
        return this.number;
      case 'object':
        return value === null ? NONE : Array.isArray(value) ? this.array : this.object;
      default:
        return NONE;
    }
  }
}

function all(rules: readonly Rule[], value: unknown, run: Run): boolean {
  for (let i = 0; i < rules.length; i++) if (!rules[i]!.accepts(value, run)) return false;
  return true;
}

const NONE: readonly Rule[] = [];
