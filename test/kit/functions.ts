import { createHash } from 'node:crypto';
import { defineFunction, type Context, type FunctionDefinition, type JsonSchema } from 'everywire';

// Short definitions for apps of tests, where neither the types nor the descriptions matter.

export const string = { type: 'string', description: 'A string' } as const;
export const integer = { type: 'integer', description: 'An integer' } as const;
export const boolean = { type: 'boolean', description: 'Yes or no' } as const;
/** Any object. */
export const record = { type: 'object', additionalProperties: true, description: 'An object' } as const;

/** An object whose properties are all required, unless some are named. */
export const object = <const Properties extends Readonly<Record<string, JsonSchema>>>(
  properties: Properties,
  required: readonly string[] = Object.keys(properties),
) => ({ type: 'object', properties, required }) as const;

type AnyFunction = FunctionDefinition<string, any, any>;
type Parts = Partial<Omit<FunctionDefinition, 'name' | 'run'>>;

/** Defines a function; parts of its definition may be left out. */
export function fn(name: string, parts: Parts, run: (input: any, context: Context) => unknown): AnyFunction {
  return defineFunction({ name, description: `Is called ${name}`, ...parts, run } as never);
}

/** Resolves when a call is cancelled. */
export const untilCancelled = ({ signal }: Context) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** How a key is written in `apiKeys`. */
export const hashOf = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** A log that nobody reads. */
export const silent = { debug() {}, info() {}, warn() {}, error() {} };
