import { compileCheck } from '../schema/check.ts';
import type { Check } from '../schema/check.ts';
import { pointerTo } from '../schema/pointer.ts';
import { compilePrune } from '../schema/prune.ts';
import type { Problem } from '../schema/problem.ts';
import { compileRevive } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import type { Parsed, ReadSchema } from '../schema/schema.ts';
import { toJson } from '../schema/to-json.ts';
import { once } from './once.ts';

/** The schemas of the values that a function returns. */
export type Returned =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly schema: ReadSchema }
  | { readonly kind: 'several'; readonly schemas: readonly ReadSchema[] };

/** Data that every wire can send, or everything that is wrong with the returned value. */
export type Released =
  | { readonly value: unknown; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

/** Check and convert what is sent to the caller. */
export interface Results {
  /** For what the function returned. */
  readonly release: (value: unknown) => Released | Promise<Released>;
  /** For data in its wire form that middleware may have replaced. */
  readonly confirm: (value: unknown) => Released;
}

/** Compiles the checks for returned values. */
export function compileResults(returned: Returned, depth: number): Results {
  if (returned.kind === 'none') return { release: nothing, confirm: nothing };
  if (returned.kind === 'one') return compileValue(returned.schema, depth);
  const each = returned.schemas.map((schema) => compileValue(schema, depth));
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

/** Compiles the conversion from the wire form back to the declared types; undefined if they are the same. */
export function compileReturned(returned: Returned): Revive | undefined {
  if (returned.kind === 'none') return undefined;
  if (returned.kind === 'one') return compileRevive(returned.schema.json, false);
  const each = returned.schemas.map(({ json }) => compileRevive(json, false));
  if (each.every((revive) => revive === undefined)) return undefined;
  return (values) => (values as readonly unknown[]).map((value, i) => each[i]?.(value) ?? value);
}

const nothing = (): Released => ({ value: undefined });

function compileValue({ json, parse }: ReadSchema, depth: number): Results {
  const getCheck = once(() => compileCheck(json));
  const getPrune = once(() => compilePrune(json));
  /** Removes fields that the schema does not describe, whichever library it comes from. */
  const convert = (value: unknown, check: Check | undefined): Released => {
    const converted = toJson(value, depth);
    if (converted.problem) return { problems: [converted.problem] };
    const problems = check?.(converted.value);
    if (problems) return { problems };
    getPrune()?.(converted.value);
    return { value: converted.value };
  };
  const confirm = (value: unknown): Released => convert(value, getCheck());
  if (!parse) return { release: confirm, confirm };
  // A schema library is at least as strict as the JSON Schema generated from it, so one check is enough.
  const convertParsed = (result: Parsed) => (result.problems ? result : convert(result.value, undefined));
  return {
    confirm,
    release(value) {
      const result = parse(value);
      return result instanceof Promise ? result.then(convertParsed) : convertParsed(result);
    },
  };
}

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
