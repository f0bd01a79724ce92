import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { findExcess } from '../schema/bounds.ts';
import { compileCheck } from '../schema/check.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import { repair } from '../schema/repair.ts';
import type { Repair } from '../schema/repair-steps.ts';
import { initialValue } from './form/initial.ts';
import { readJson, unreadIn, writeJson } from './form/json-text.ts';

/** The arguments of a call, as a value for the form and as text for the editor: a change of one is a change of both. */
export interface Arguments {
  readonly value: ReadonlySignal<unknown>;
  readonly text: ReadonlySignal<string>;
  /** What is sent. */
  readonly body: ReadonlySignal<string>;
  /** Why that is no JSON. */
  readonly mistake: ReadonlySignal<string>;
  setValue(value: unknown): void;
  setText(text: string): void;
}

export function createArguments(schema: JsonSchema, given: string | null): Arguments {
  const start = readJson(given ?? '');
  const value = signal<unknown>(start === undefined ? (initialValue(schema, schema) ?? {}) : start);
  const text = signal(writeJson(value.value, 2));
  return {
    value,
    text,
    body: computed(() => writeJson(value.value)),
    mistake: computed(() => summarize(unreadIn(value.value))),
    setValue(next = {}) {
      batch(() => {
        value.value = next;
        text.value = writeJson(next, 2);
      });
    },
    setText(next) {
      const read = readJson(next);
      batch(() => {
        text.value = next;
        value.value = read === undefined ? {} : read;
      });
    },
  };
}

export interface Verdict {
  readonly problems: readonly Problem[];
  readonly repairs: readonly Repair[];
  /** As the server words it. */
  readonly summary: string;
}

/** The server has limits on size of its own, and says so. */
const BOUNDS = { depth: 500, keys: Infinity, items: Infinity };

/** Checks arguments as the server does, with the same engine: repair only what is not accepted. */
export function check(value: unknown, schema: JsonSchema): Verdict {
  try {
    const unread = unreadIn(value);
    if (unread.length > 0) return { problems: unread, repairs: [], summary: `Not sent: ${summarize(unread)}` };
    const excess = findExcess(value, BOUNDS);
    if (excess) return refused([excess]);
    const judge = compileCheck(schema);
    if (!judge(value)) return { problems: [], repairs: [], summary: '' };
    const repaired = repair(value, schema, schema);
    const problems = judge(repaired.value) ?? [];
    return problems.length > 0 ? refused(problems) : { problems, repairs: repaired.repairs, summary: '' };
  } catch {
    // A pattern that this browser does not know, for example. The server decides anyway.
    return { problems: [], repairs: [], summary: '' };
  }
}

const refused = (problems: readonly Problem[]): Verdict => ({
  problems,
  repairs: [],
  summary: `Invalid arguments: ${summarize(problems)}`,
});
