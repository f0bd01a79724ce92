import { DEEPEST } from '../schema/bounds.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { toJson } from '../schema/to-json.ts';

/** Arguments as JSON text, dates and the like in their wire form; a failure when JSON cannot carry them. */
export function toBody(input: unknown): string | Failed {
  if (input === undefined) return '{}';
  const carried = toJson(input, DEEPEST);
  if (!carried.problem) return JSON.stringify(carried.value);
  const { pointer, message } = carried.problem;
  return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${pointer ? `${pointer}: ` : ''}${message}`);
}
