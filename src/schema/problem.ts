import type { JsonSchema } from './json-schema.ts';

/** One thing that is wrong with a value, and where. */
export interface Problem {
  /** JSON pointer to the place; empty for the value itself. */
  readonly pointer: string;
  /** What was expected, and what came. */
  readonly message: string;
  /** The name of the field, when the problem is that it is not there. */
  readonly missing?: string;
}

// A caller that sends ten thousand wrong items needs the first few, not a megabyte.
const SHOWN = 20;

/** All problems in one line: `/x: expected integer, got "a"; /y: required, expected integer`. */
export function summarize(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, SHOWN)
    .map(({ pointer, message }) => (pointer ? `${short(pointer)}: ${message}` : message));
  if (problems.length > SHOWN) shown.push(`and ${problems.length - SHOWN} more`);
  return shown.join('; ');
}

/** Sixty-four levels of nesting are not a place anyone will look up. */
function short(pointer: string): string {
  return pointer.length > LONGEST ? `${pointer.slice(0, LONGEST).toWellFormed()}…` : pointer;
}

const LONGEST = 60;

/** A schema in a few words, for messages and help: `integer`, `one of "C", "F"`, `string (date-time)`. */
export function expectation(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'a value';
  const { type, enum: allowed, format, anyOf, oneOf, ...rest } = schema as JsonSchema;
  if ('const' in rest) return JSON.stringify(rest.const);
  if (allowed) return `one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
  const branches = (anyOf ?? oneOf) as readonly unknown[] | undefined;
  if (branches) return [...new Set(branches.map(expectation))].join(' or ');
  if (type === undefined) return 'a value';
  const types = typeof type === 'string' ? type : type.join(' or ');
  return typeof format === 'string' ? `${types} (${format})` : types;
}

const GOT = 40;

/** What came instead, short enough for a message. */
export function received(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > GOT ? `${value.slice(0, GOT).toWellFormed()}…` : value);
}
