import type { Place } from './engine/place.ts';

/** What was changed in a caller's arguments, and where. Without values: they may be secret. */
export interface Repair {
  readonly pointer: string;
  readonly did:
    | 'text to number'
    | 'text to boolean'
    | 'text to JSON'
    | 'null dropped'
    | 'unknown field dropped'
    | 'more';
}

// Audit records list repairs; they need not list a hundred thousand.
export const MAX_REPAIRS = 100;
/** More than MAX_REPAIRS, because repairs of union branches that are not taken are dropped. */
export const MAX_STEPS = 10 * MAX_REPAIRS;

/** The first repairs; a last entry says if there were more. */
export function shortened(repairs: readonly Repair[]): readonly Repair[] {
  return repairs.length > MAX_REPAIRS ? [...repairs.slice(0, MAX_REPAIRS), { pointer: '', did: 'more' }] : repairs;
}

export interface Step {
  readonly place: Place | undefined;
  readonly did: Repair['did'];
}

/** A tree, so that the steps inside a value are not copied at every level above it. */
export type Steps = Step | readonly Steps[];

export const NO_STEPS: readonly Steps[] = [];
const isNothing = (steps: Steps) => Array.isArray(steps) && steps.length === 0;
export const concat = (a: Steps, b: Steps): Steps => (isNothing(a) || a === b ? b : isNothing(b) ? a : [a, b]);

export function* eachStep(steps: Steps): Generator<Step> {
  if (!Array.isArray(steps)) yield steps as Step;
  else for (const inner of steps as readonly Steps[]) yield* eachStep(inner);
}

/** Stands for all steps beyond the limit: keeping a hundred thousand would cost more than the repair. */
export const MORE_STEPS: Step = { place: undefined, did: 'more' };

/** Appends to a list, which needs MORE_STEPS only once. */
export function append(list: Steps[], steps: Steps): void {
  if (steps !== MORE_STEPS || list.at(-1) !== MORE_STEPS) list.push(steps);
}

/** Unwraps a list of one. */
export const unwrapped = (steps: readonly Steps[]): Steps => (steps.length === 1 ? steps[0]! : steps);
