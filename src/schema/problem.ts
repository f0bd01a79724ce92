import { isBlob, isFileSchema } from './file-form.ts';
import { truncate } from './truncate.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** One problem with a value, and where it is. */
export interface Problem {
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string;
  /** What was expected, and what was received. */
  readonly message: string;
  /** The name of the field, if the problem is that it is missing. */
  readonly missing?: string;
}

/** The last entry of a list that was cut off. */
export const MORE_PROBLEMS: Problem = { pointer: '', message: 'and more, not listed' };

/** A caller that sends ten thousand invalid items needs the first few, not a megabyte. */
export const MAX_PROBLEMS = 100;

/** In all problems together. */
export const MAX_CHARACTERS = 8192;
/** In one message: a schema library may repeat a value of a megabyte. */
export const MAX_MESSAGE = 1000;

/** Converts what was found to problems, up to the limits. */
export function listed<Found>(all: readonly Found[], toProblem: (found: Found) => Problem): readonly Problem[] {
  const problems: Problem[] = [];
  let characters = 0;
  for (const found of all) {
    if (problems.length === MAX_PROBLEMS || characters > MAX_CHARACTERS) return [...problems, MORE_PROBLEMS];
    const problem = toProblem(found);
    const message = truncate(problem.message, MAX_MESSAGE);
    characters += problem.pointer.length + message.length;
    problems.push({ ...problem, message });
  }
  return problems;
}

const MAX_SHOWN = 20;

/** All problems in one line: `/x: expected integer, got "a"; /y: required, expected integer`. */
export function summarize(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, MAX_SHOWN)
    .map(({ pointer, message }) => (pointer ? `${short(pointer)}: ${message}` : message));
  const left = problems.length - MAX_SHOWN;
  if (left > 0) shown.push(problems.at(-1) === MORE_PROBLEMS ? `and more than ${left - 1} more` : `and ${left} more`);
  return truncate(shown.join('; '), MAX_SUMMARY);
}

const MAX_SUMMARY = 4000;

/** Nobody looks up a path of 64 levels. */
const short = (pointer: string) => truncate(pointer, 60);

/** Describes a schema in a few words, for messages and help: `integer`, `one of "C", "F"`, `string (date-time)`. */
export function expectation(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'a value';
  const { type, enum: allowed, format, anyOf, oneOf, ...rest } = schema as JsonSchema;
  if ('const' in rest) return truncate(JSON.stringify(rest.const), MAX_LISTED);
  if (allowed) return `one of ${listOf(allowed)}`;
  const branches = (anyOf ?? oneOf) as readonly unknown[] | undefined;
  if (branches) return [...new Set(branches.map(expectation))].join(' or ');
  if (type === undefined) return 'a value';
  if (isFileSchema(schema as JsonSchema)) return 'file';
  const types = typeof type === 'string' ? type : type.join(' or ');
  const suffix = typeof format === 'string' ? ` (${format})` : '';
  // A JSON number cannot carry all of them exactly.
  if (rest[FORM_KEYWORD] === 'bigint' && type === 'string') return `integer${suffix} as a string`;
  return types + suffix;
}

// Enough for all two-letter country codes, but not for a list of ten thousand.
const MAX_LISTED = 300;

function listOf(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => truncate(JSON.stringify(value), MAX_LISTED));
  return shown.join(', ') + (values.length > MAX_LISTED ? ', …' : '');
}

const MAX_RECEIVED = 40;

/** Describes the value that was received, short enough for a message. */
export function received(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isBlob(value)) return 'a file';
  if (typeof value === 'object' && value !== null) return 'object';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(truncate(value, MAX_RECEIVED));
}
