import { findExcess } from '../schema/bounds.ts';
import type { Bounds } from '../schema/bounds.ts';
import { compileCheck } from '../schema/check.ts';
import { shortPointer } from '../schema/engine/place.ts';
import { structureFromText } from '../schema/from-text.ts';
import { isRecord } from '../schema/json-schema.ts';
import { pointerTo } from '../schema/pointer.ts';
import { MAX_PROBLEMS, listed, received } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import { compilePrune } from '../schema/prune.ts';
import { repair, shortened } from '../schema/repair.ts';
import type { Repair } from '../schema/repair.ts';
import { compileRevive } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import { propertiesOf } from '../schema/schema-tree.ts';
import type { ReadSchema, Parsed } from '../schema/schema.ts';
import { hasSecrets } from '../schema/secrets.ts';
import { suggest } from '../schema/suggest.ts';
import { toJson } from '../schema/to-json.ts';
import type { Call } from './call.ts';
import { once } from './once.ts';

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
export function compileArguments({ json, parse }: ReadSchema, { strict, coerce, ...rules }: ArgumentRules): Admit {
  const bounds = {
    ...rules.bounds,
    get hasSecrets() {
      return hasSecrets(json);
    },
  };
  const check = compileCheck(json);
  const revive = compileRevive(json, parse === undefined);
  const declared = propertiesOf({ schema: json, root: json });
  const known = declared === 'open' ? undefined : declared;

  return admit;

  function admit(input: unknown = {}): Admitted {
    const excess = findExcess(input, bounds);
    const unknown = isRecord(input) && (!excess || !strict) ? unknownIn(input) : undefined;
    if (excess && !(unknown && isRead(input, unknown))) return { problems: [excess] };
    if (!isRecord(input)) return admitString(input);
    const log = unknown && !strict ? dropped(unknown) : [];
    let value = unknown && !strict ? without(input, unknown) : input;
    let problems = check(value);
    // A schema may accept what it does not name: `not`, `oneOf` and conditions also judge other fields.
    if (problems && !excess && value !== input && !check(input))
      return { value: revive ? revive(input) : input, repairs: [] };
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

  /** Whether only fields that are dropped have numbers that JavaScript would round. */
  function isRead(input: unknown, unknown: readonly string[]): boolean {
    const rest = without(input as Record<string, unknown>, unknown);
    return !findExcess(input, { ...bounds, isUnread: true }) && !findExcess(rest, bounds);
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

/** The schemas of the values that a function returns. */
export type Returned =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly schema: ReadSchema }
  | { readonly kind: 'several'; readonly schemas: readonly ReadSchema[] };

/** Data that every wire can send, or everything that is wrong with the returned value. */
export type Released = { readonly value: unknown; readonly problems?: undefined } | Rejected;

export interface Rejected {
  readonly problems: readonly Problem[];
}

/** What a returned file depends on. */
export interface Releasing {
  readonly ended: unknown;
  readonly parts: { readonly call: Pick<Call, 'takesFile'> };
}

/** Check and convert what is sent to the caller. */
export interface Results {
  /** For what the function returned. */
  readonly release: (value: unknown, state?: Releasing) => Released | Promise<Released>;
  /** For data in its wire form that middleware may have replaced. */
  readonly confirm: (value: unknown) => Released;
}

/** Compiles the checks for returned values. `keepsFiles`: files inside them are left for others to read. */
export function compileResults(returned: Returned, depth: number, keepsFiles = false): Results {
  if (returned.kind === 'none') return { release: nothing, confirm: nothing };
  if (returned.kind === 'one') return compileValue(returned.schema, depth, keepsFiles);
  const each = returned.schemas.map((schema) => compileValue(schema, depth, keepsFiles));
  return {
    release(value) {
      if (!isListOf(value, each.length)) return wrongNumber(each.length);
      const released = each.map(({ release }, i) => release(value[i]));
      return released.every(isSettled)
        ? combine(released)
        : Promise.all(released.map(async (one) => one)).then(combine);
    },
    confirm(value) {
      if (!isListOf(value, each.length)) return wrongNumber(each.length);
      return combine(each.map(({ confirm }, i) => confirm(value[i])));
    },
  };
}

/** Compiles the check for what a generator yields. Without a schema, any JSON may be. */
export function compileChunks(schema: ReadSchema | undefined, depth: number): Results['release'] {
  if (schema) return compileValue(schema, depth, false).release;
  return (value) => {
    const converted = toJson(value, depth);
    return converted.problem ? { problems: [converted.problem] } : converted;
  };
}

/** Compiles the conversion from the wire form back to the declared types; undefined if they are the same. */
export function compileReturned(returned: Returned): Revive | undefined {
  if (returned.kind === 'none') return undefined;
  if (returned.kind === 'one') return compileRevive(returned.schema.json, false);
  const each = returned.schemas.map(({ json }) => compileRevive(json, false));
  if (each.every((revive) => revive === undefined)) return undefined;
  return (values) => (values as readonly unknown[]).map((value, i) => each[i]?.(value) ?? value);
}

const nothing = (): Released => ({ value: undefined });

function compileValue({ json, parse }: ReadSchema, depth: number, keepsFiles: boolean): Results {
  const getCheck = once(() => compileCheck(json));
  const getPrune = once(() => compilePrune(json));
  /** Removes fields that the schema does not describe, whichever library it comes from. */
  const convert = (value: unknown, isChecked: boolean): Released => {
    const converted = toJson(value, depth, keepsFiles);
    if (converted.problem) return { problems: [converted.problem] };
    const problems = isChecked && !converted.isCustom ? undefined : getCheck()(converted.value);
    if (problems) return { problems };
    const broken = getPrune()?.(converted.value) ? getCheck()(converted.value) : undefined;
    return broken ? { problems: broken.map(withoutOthers) } : { value: converted.value };
  };
  const confirm = (value: unknown): Released => convert(value, false);
  if (!parse) return { release: confirm, confirm };
  // A schema library is at least as strict as the JSON Schema generated from it, so one check is enough; except for what a
  // toJSON returns, which the library has not seen.
  const convertParsed = (result: Parsed, returned: unknown) =>
    result.problems ? { problems: reworded(result.problems, returned) } : convert(result.value, true);
  return {
    confirm,
    release(value) {
      const result = parse(value);
      return result instanceof Promise
        ? result.then((late) => convertParsed(late, value))
        : convertParsed(result, value);
    },
  };

  /** Problems that the JSON Schema has as well are in the words for arguments; others, such as refinements, in the library's. */
  function reworded(problems: readonly Problem[], returned: unknown): readonly Problem[] {
    const converted = toJson(returned, depth, keepsFiles);
    const ours = converted.problem ? [converted.problem] : (getCheck()(converted.value) ?? []);
    return [
      ...new Set(
        problems.flatMap((theirs) => {
          const same = ours.filter((one) => isWithin(one, theirs));
          return same.length > 0 ? same : [theirs];
        }),
      ),
    ];
  }
}

const isWithin = (inner: Problem, outer: Problem) => `${inner.pointer}/`.startsWith(`${outer.pointer}/`);

const withoutOthers = (problem: Problem): Problem => ({
  ...problem,
  message: `${problem.message} (without the fields that the schema does not describe)`,
});

const isSettled = (released: Released | Promise<Released>): released is Released => !(released instanceof Promise);

const isListOf = (value: unknown, length: number): value is unknown[] =>
  Array.isArray(value) && value.length === length;

const wrongNumber = (length: number): Released => ({
  problems: [{ pointer: '', message: `expected a list of ${length} values` }],
});

function combine(released: readonly Released[]): Released {
  const problems = released.flatMap((one, i) =>
    (one.problems ?? []).map((problem) => ({ ...problem, pointer: pointerTo('', i) + problem.pointer })),
  );
  return problems.length > 0
    ? { problems }
    : { value: released.map((one) => ('value' in one ? one.value : undefined)) };
}
