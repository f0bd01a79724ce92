import { MAX_DEPTH } from '../schema/bounds.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { toJson } from '../schema/to-json.ts';

/** Serialises arguments, with dates and the like in their wire form. A failure if JSON cannot represent them. */
export function toBody(input: unknown): string | Failed {
  if (input === undefined) return '{}';
  const carried = toJson(input, MAX_DEPTH);
  if (!carried.problem) return JSON.stringify(carried.value);
  const { pointer, message } = carried.problem;
  return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${pointer ? `${pointer}: ` : ''}${message}`);
}
