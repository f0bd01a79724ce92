import type { JsonSchema } from '../json-schema.ts';
import type { Evaluated } from './evaluated.ts';
import type { Place } from './place.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';

/** What one keyword of a schema demands. It is asked only about values of the kind that it speaks of. */
export interface Rule<Value = any> {
  /** The verdict. */
  readonly accepts: (value: Value, run: Run) => boolean;
  /** Reports what is wrong, and nothing when nothing is. */
  readonly explain: (value: Value, place: Place | undefined, report: Report) => void;
  /** Notes which fields or items it describes. */
  readonly evaluate?: (value: Value, run: Run, evaluated: Evaluated) => void;
}

/** The kinds of values that keywords speak of. */
export type Kind = 'any' | 'number' | 'string' | 'array' | 'object';

/** A schema, compiled: its rules by the kind of value that they apply to. */
export class SchemaNode {
  /** May be asked about one value by several branches: its verdicts are remembered. */
  isShared = false;
  /** `type`, `enum` and `const`. Where they are broken, nothing else about the value matters. */
  nature: Rule | undefined;
  readonly any: Rule[] = [];
  readonly number: Rule[] = [];
  readonly string: Rule[] = [];
  readonly array: Rule[] = [];
  readonly object: Rule[] = [];

  /** The verdict. */
  accepts: (value: unknown, run: Run) => boolean = (value, run) => this.#judge(value, run);

  constructor(readonly schema: JsonSchema | boolean) {}

  /** Once all rules are known: most schemas name one type, and then only the rules for it can apply. */
  settle(): void {
    const { nature, schema } = this;
    if (!nature || typeof schema === 'boolean' || typeof schema.type !== 'string') return;
    const kind = schema.type === 'integer' ? 'number' : schema.type;
    const rules = kind === 'boolean' || kind === 'null' ? this.any : [...this[kind as Kind], ...this.any];
    const isOfType = nature.accepts;
    this.accepts = rules.length === 0 ? isOfType : (value, run) => isOfType(value, run) && all(rules, value, run);
  }

  #judge(value: unknown, run: Run): boolean {
    if (this.nature !== undefined && !this.nature.accepts(value, run)) return false;
    return all(this.about(value), value, run) && all(this.any, value, run);
  }

  explain(value: unknown, place: Place | undefined, report: Report): void {
    if (this.nature && !this.nature.accepts(value, report.run)) return this.nature.explain(value, place, report);
    // Several ways may lead down into what is right: without the verdict, which is remembered, all would be walked.
    if (typeof value === 'object' && report.run.judge(this, value)) return;
    for (const rule of this.about(value)) if (!report.isFull) rule.explain(value, place, report);
    for (const rule of this.any) if (!report.isFull) rule.explain(value, place, report);
  }

  evaluate(value: unknown, run: Run, evaluated: Evaluated): void {
    for (const rule of this.about(value)) rule.evaluate?.(value, run, evaluated);
    for (const rule of this.any) rule.evaluate?.(value, run, evaluated);
  }

  /** The rules for values of this kind alone. */
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
