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

/** How many values a function returns, and what each looks like. */
export type Returned =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly schema: ReadSchema }
  | { readonly kind: 'several'; readonly schemas: readonly ReadSchema[] };

/** Data fit for every wire, or all that is wrong with what the function returned. */
export type Released =
  | { readonly value: unknown; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

/** The two ways out of a function. */
export interface Results {
  /** From what the handler returned. */
  readonly release: (value: unknown) => Released | Promise<Released>;
  /** From data that was released before and may have been replaced since, by a middleware. */
  readonly confirm: (value: unknown) => Released;
}

/** Compiles the way from what a handler returned to what may be sent. */
export function compileResults(returned: Returned, depth: number): Results {
  if (returned.kind === 'none') return { release: nothing, confirm: nothing };
  if (returned.kind === 'one') return compileValue(returned.schema, depth);
  const each = returned.schemas.map((schema) => compileValue(schema, depth));
  return {
    release(value) {
      if (!isListOf(value, each.length)) return wrongNumber(each.length);
      const released = each.map(({ release }, i) => release(value[i]));
      return released.every(isSettled) ? joined(released) : Promise.all(released.map(async (one) => one)).then(joined);
    },
    confirm(value) {
      if (!isListOf(value, each.length)) return wrongNumber(each.length);
      return joined(each.map(({ confirm }, i) => confirm(value[i])));
    },
  };
}

/** The way back from what was sent to what the types say; undefined when they are the same. */
export function compileReturned(returned: Returned): Revive | undefined {
  if (returned.kind === 'none') return undefined;
  if (returned.kind === 'one') return compileRevive(returned.schema.json, false);
  const each = returned.schemas.map(({ json }) => compileRevive(json, false));
  if (each.every((revive) => revive === undefined)) return undefined;
  return (values) => (values as readonly unknown[]).map((value, i) => each[i]?.(value) ?? value);
}

const nothing = (): Released => ({ value: undefined });

function compileValue({ json, parse }: ReadSchema, depth: number): Results {
  const judge = once(() => compileCheck(json));
  const prune = once(() => compilePrune(json));
  /** Sends what the schema describes, whichever library described it. */
  const carried = (value: unknown, check: Check | undefined): Released => {
    const sent = toJson(value, depth);
    if (sent.problem) return { problems: [sent.problem] };
    const problems = check?.(sent.value);
    if (problems) return { problems };
    prune()?.(sent.value);
    return { value: sent.value };
  };
  const confirm = (value: unknown): Released => carried(value, judge());
  if (!parse) return { release: confirm, confirm };
  // A library's own pass is at least as strict as the JSON Schema that was made from it.
  const send = (result: Parsed) => (result.problems ? result : carried(result.value, undefined));
  return {
    confirm,
    release(value) {
      const result = parse(value);
      return result instanceof Promise ? result.then(send) : send(result);
    },
  };
}

const isSettled = (released: Released | Promise<Released>): released is Released => !(released instanceof Promise);

const isListOf = (value: unknown, length: number): value is unknown[] =>
  Array.isArray(value) && value.length === length;

const wrongNumber = (length: number): Released => ({
  problems: [{ pointer: '', message: `expected a list of ${length} values` }],
});

function joined(released: readonly Released[]): Released {
  const problems = released.flatMap((one, i) =>
    (one.problems ?? []).map((problem) => ({ ...problem, pointer: pointerTo('', i) + problem.pointer })),
  );
  return problems.length > 0
    ? { problems }
    : { value: released.map((one) => ('value' in one ? one.value : undefined)) };
}
