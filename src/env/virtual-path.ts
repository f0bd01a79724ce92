import { ContextFailure } from '../core/failure.ts';

/** The names of an absolute virtual path; none of them is `.`, `..` or empty. */
export type Steps = readonly string[];

/**
 * Parses a path from a function. `..` is resolved here, textually, and never reaches the host. Nothing is decoded:
 * `%2e%2e` and characters that look like a slash are ordinary names.
 */
export function stepsOf(path: string, from: Steps): Steps {
  const problem = problemIn(path);
  if (problem)
    throw new ContextFailure('INVALID_ARGUMENTS', `Bad path ${JSON.stringify(path)?.slice(0, 200)}: ${problem}`);
  const steps = path.startsWith('/') ? [] : [...from];
  for (const name of path.split('/')) {
    if (name === '..') steps.pop();
    else if (name !== '' && name !== '.') steps.push(name);
  }
  if (steps.length > MAX_DEPTH)
    throw new ContextFailure('INVALID_ARGUMENTS', `Bad path: more than ${MAX_DEPTH} folders deep`);
  return steps;
}

const MAX_LENGTH = 4096;
/** Each level needs a descriptor while the path is walked. */
const MAX_DEPTH = 64;

function problemIn(path: unknown): string | undefined {
  if (typeof path !== 'string') return 'expected a string';
  if (path === '') return 'it is empty';
  if (path.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (path.includes('\0')) return 'it has a NUL character';
  if (path.includes('\\')) return 'it has a backslash; names are separated by /';
  if (/^[A-Za-z]:(?:\/|$)/.test(path)) return 'it has a drive letter; virtual paths start with /';
  if (!path.isWellFormed()) return 'it is not Unicode';
  // The names of unfinished files.
  if (path.split('/').some((name) => name.startsWith(TEMPORARY))) return `names with ${TEMPORARY} are reserved`;
  return undefined;
}

/** The prefix of the names of unfinished files. */
export const TEMPORARY = '.everywire-';

export function pathOf(steps: Steps): string {
  return `/${steps.join('/')}`;
}

/** Whether one path is at or below another: `/data/a` is below `/data`, `/database` is not. */
export function isWithin(steps: Steps, outer: Steps): boolean {
  return outer.every((name, i) => steps[i] === name);
}
