import { batch, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { compileCheck } from '../schema/check.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import { repair } from '../schema/repair.ts';
import type { Repair } from '../schema/repair-steps.ts';
import { initialValue } from './form/initial.ts';

/** The arguments of a call, as a value for the form and as text for the editor: a change of one is a change of both. */
export interface Arguments {
  readonly value: Signal<unknown>;
  readonly text: Signal<string>;
  /** Why the text is no JSON. */
  readonly mistake: Signal<string>;
  setValue(value: unknown): void;
  setText(text: string): void;
}

export function createArguments(schema: JsonSchema, given: string | null): Arguments {
  const start = parse(given ?? '').value ?? initialValue(schema, schema) ?? {};
  const value = signal<unknown>(start);
  const text = signal(JSON.stringify(start, null, 2));
  const mistake = signal('');
  return {
    value,
    text,
    mistake,
    setValue(next) {
      batch(() => {
        value.value = next;
        text.value = JSON.stringify(next ?? {}, null, 2);
        mistake.value = '';
      });
    },
    setText(next) {
      const { value: parsed, problem = '' } = parse(next);
      batch(() => {
        text.value = next;
        mistake.value = problem;
        if (problem === '') value.value = parsed;
      });
    },
  };
}

function parse(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return text.trim() === '' ? { value: undefined } : { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

export interface Verdict {
  readonly problems: readonly Problem[];
  readonly repairs: readonly Repair[];
  /** As the server words it. */
  readonly summary: string;
}

/** Checks arguments as the server does, with the same engine: repair only what is not accepted. */
export function check(value: unknown, schema: JsonSchema): Verdict {
  try {
    const judge = compileCheck(schema);
    if (!judge(value)) return { problems: [], repairs: [], summary: '' };
    const repaired = repair(value, schema, schema);
    const problems = judge(repaired.value) ?? [];
    const summary = problems.length > 0 ? `Invalid arguments: ${summarize(problems)}` : '';
    return { problems, repairs: problems.length > 0 ? [] : repaired.repairs, summary };
  } catch {
    // A pattern that this browser does not know, for example. The server decides anyway.
    return { problems: [], repairs: [], summary: '' };
  }
}
