import type { StandardSchemaV1 } from '@standard-schema/spec';

type Validate = StandardSchemaV1.Props['validate'];

/** The internals of a zod 4 schema, or of one of its checks, that are used here. */
interface ZodPart {
  readonly _zod: {
    readonly def: Record<string, unknown>;
    readonly constr: new (def: object) => ZodPart & StandardSchemaV1;
    run(payload: Payload, context: object): Payload | Promise<Payload>;
    check?: (payload: Payload) => unknown;
  };
}

type Payload = { readonly value: unknown; readonly issues: readonly unknown[] };

/**
 * Returns a validator that runs each of the author's refinements and transforms once per value. zod's own tries
 * synchronously first: it calls an asynchronous refinement, drops its promise (whose rejection then ends the process),
 * and starts again. Other libraries, and zod schemas without such functions, keep their own validator.
 */
export function parseOnce(schema: StandardSchemaV1): Validate {
  const { validate } = schema['~standard'];
  if (!isZodPart(schema) || !watchFunctions(schema, new Set())) return validate;
  // A copy of the schema that delegates to the author's: zod still turns its issues into messages.
  const own = new schema._zod.constr(schema._zod.def);
  let first: (() => Payload | Promise<Payload>) | undefined;
  own._zod.run = (payload, context: { readonly async?: boolean }) => {
    if (context.async && first) return first();
    isOurs = true;
    try {
      const result = schema._zod.run(payload, CONTEXT);
      // zod runs the schema a second time, asynchronously, after a promise or if it could not get a message.
      first = () => result;
      return result;
    } catch (thrown) {
      first = () => {
        throw thrown;
      };
      throw thrown;
    } finally {
      isOurs = false;
    }
  };
  const { validate: validateOwn } = own['~standard'];
  return (value) => {
    try {
      return validateOwn(value);
    } finally {
      first = undefined;
    }
  };
}

/** Whether the schema is being run by us, not by the author. */
let isOurs = false;

/** Whether the last transform returned a promise. */
let isLater = false;

/**
 * Neither synchronous nor asynchronous: it depends on what the author's functions return. zod reads `async` right after
 * a transform has returned, to decide whether to await it. It awaits checks unless `async` is `false`.
 */
const CONTEXT = {
  get async(): true | undefined {
    return isLater || undefined;
  },
};

const watched = new WeakSet<object>();

/**
 * Wraps the author's functions in a schema and returns whether there are any. If two checks reject, zod awaits only
 * one: the other rejection must not count as unhandled.
 */
function watchFunctions(part: unknown, seen: Set<unknown>): boolean {
  if (typeof part !== 'object' || part === null || seen.has(part)) return false;
  seen.add(part);
  if (!isZodPart(part)) return isPlain(part) && watchAll(Object.values(part), seen);
  const { _zod: internals } = part;
  const { def } = internals;
  const isCheck = def['check'] === 'custom' || def['type'] === 'custom';
  const hasCheck = isCheck && watch(internals, 'check', isPromise);
  const hasTransform = watch(def, 'transform', (result) => (isLater = isPromise(result)));
  watch(def, 'error', isPromise); // returns messages; zod never awaits it
  // A lazy schema comes from a function without parameters, which zod calls too.
  const inner = def['type'] === 'lazy' ? [(def['getter'] as () => unknown)()] : Object.values(def);
  return watchAll(inner, seen) || hasCheck || hasTransform;
}

function watchAll(parts: readonly unknown[], seen: Set<unknown>): boolean {
  return parts.map((part) => watchFunctions(part, seen)).includes(true);
}

/**
 * Wraps a function, once even if its schema is used several times. Returns false if there is no function. While we run
 * the schema, exceptions become rejections: otherwise zod would drop the promises of other functions.
 */
function watch(holder: object, name: string, look: (result: unknown) => void): boolean {
  const parts = holder as Record<string, unknown>;
  const inner = parts[name];
  if (typeof inner !== 'function') return false;
  if (watched.has(inner)) return true;
  const call = inner as (...args: unknown[]) => unknown;
  const outer = function outer(this: unknown, ...args: unknown[]): unknown {
    const result = isOurs ? rejecting(() => call.apply(this, args)) : call.apply(this, args);
    look(result);
    return result;
  };
  watched.add(outer);
  parts[name] = outer;
  return true;
}

function rejecting(work: () => unknown): unknown {
  isOurs = false; // the function may run other schemas
  try {
    return work();
  } catch (thrown) {
    return Promise.reject(thrown);
  } finally {
    isOurs = true;
  }
}

/** Also marks its rejection as handled; code that awaits the promise still gets it. A Proxy may throw on instanceof. */
function isPromise(result: unknown): boolean {
  try {
    if (!(result instanceof Promise)) return false;
    result.catch(() => {});
    return true;
  } catch {
    return false; // zod will run into it next
  }
}

function isZodPart(value: unknown): value is ZodPart {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
