import { findExcess } from '../schema/bounds.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { Bounds } from '../schema/bounds.ts';
import { compileCheck } from '../schema/check.ts';
import { structureFromText } from '../schema/from-text.ts';
import { shortPointer } from '../schema/engine/place.ts';
import { MAX_PROBLEMS, listed, received } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import { repair, shortened } from '../schema/repair.ts';
import type { Repair } from '../schema/repair.ts';
import { propertiesOf } from '../schema/schema-tree.ts';
import type { ReadSchema } from '../schema/schema.ts';
import { hasSecrets } from '../schema/secrets.ts';
import { suggest } from '../schema/suggest.ts';
import { compileRevive } from '../schema/revive.ts';

export interface ArgumentRules {
  readonly strict: boolean;
  readonly coerce: boolean;
  readonly bounds: Bounds;
}

/** Valid arguments and the repairs made to them, or everything that is wrong with them. */
type Admitted =
  | { readonly value: unknown; readonly repairs: readonly Repair[]; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

export type Admit = (input: unknown) => Admitted;

/** Compiles the step from a caller's input to valid arguments. Runs no user code. */
export function compileArguments({ json, parse }: ReadSchema, { strict, coerce, bounds }: ArgumentRules): Admit {
  const check = compileCheck(json);
  const revive = compileRevive(json, parse === undefined);
  const declared = propertiesOf({ schema: json, root: json });
  const known = declared === 'open' ? undefined : declared;

  return admit;

  function admit(input: unknown = {}): Admitted {
    const excess = findExcess(input, bounds);
    if (excess) return { problems: [excess] };
    if (!isRecord(input)) return admitString(input);
    const unknown = unknownIn(input);
    const log = unknown && !strict ? dropped(unknown) : [];
    let value = unknown && !strict ? without(input, unknown) : input;
    let problems = check(value);
    if (problems && coerce) {
      const repaired = repair(value, json, json);
      value = repaired.value as Record<string, unknown>;
      log.push(...repaired.repairs);
      // A string may contain JSON that is nested deeper than the body was.
      const deeper = findExcess(value, bounds);
      problems = deeper ? [deeper] : check(value);
    }
    if (unknown && strict) problems = [...(problems ?? []), ...listed(unknown, unknownField)];
    if (problems) return { problems: withHints(problems, unknown) };
    return { value: revive ? revive(value) : value, repairs: shortened(log) };
  }

  /** Not an object: some clients encode their JSON twice. */
  function admitString(input: unknown): Admitted {
    const object = coerce && typeof input === 'string' ? structureFromText(input) : undefined;
    if (!isRecord(object)) {
      const got = typeof input === 'string' && hasSecrets(json) ? '' : `, got ${received(input)}`;
      return { problems: [{ pointer: '', message: `expected object${got}` }] };
    }
    const admitted = admit(object);
    return admitted.problems ? admitted : { ...admitted, repairs: [PARSED, ...admitted.repairs] };
  }

  function unknownIn(value: Record<string, unknown>): string[] | undefined {
    if (!known) return undefined;
    let found: string[] | undefined;
    for (const name of Object.keys(value)) if (!known.has(name)) (found ??= []).push(name);
    return found;
  }
}

const PARSED: Repair = { pointer: '', did: 'text to JSON' };

function without(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const dropped = new Set(names);
  // `delete` would turn it into a slow object. fromEntries keeps `__proto__` an ordinary field.
  return Object.fromEntries(Object.entries(value).filter(([name]) => !dropped.has(name)));
}

const dropped = (names: readonly string[]): Repair[] =>
  names.slice(0, MAX_PROBLEMS + 1).map((name) => ({ pointer: shortPointer([name]), did: 'unknown field dropped' }));

const unknownField = (name: string): Problem => ({ pointer: shortPointer([name]), message: 'not a known field' });

// Every missing name is compared with every unknown one, so only the first few missing names get a hint.
const MAX_HINTS = 20;

/** Adds a hint where a field is missing and an unknown field has a similar name. */
function withHints(problems: readonly Problem[], unknown: readonly string[] | undefined): readonly Problem[] {
  if (!unknown) return problems;
  const candidates = unknown.slice(0, MAX_PROBLEMS);
  return problems.map((problem, i) => {
    const similar = i < MAX_HINTS && problem.missing !== undefined ? suggest(problem.missing, candidates) : undefined;
    return similar === undefined
      ? problem
      : { ...problem, message: `${problem.message} (misspelled as ${received(similar)}?)` };
  });
}
