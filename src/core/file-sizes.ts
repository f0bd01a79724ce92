import { isBlob } from '../schema/file-form.ts';
import { refuse } from './failure.ts';
import type { Failed } from './outcome.ts';

/** Refuses valid arguments whose files are too large together, or of unknown size (NaN), whichever wire they came on. */
export function refuseFiles(input: unknown, limit: number): Failed | undefined {
  return sizeOf(input) <= limit ? undefined : filesTooLarge(limit);
}

export function filesTooLarge(limit: number): Failed {
  return refuse('PAYLOAD_TOO_LARGE', `The files are larger than ${limit} bytes`);
}

/** Valid arguments are not nested too deeply to recurse. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (isBlob(value)) return value.size;
  let size = 0;
  for (const inner of Object.values(value)) size += sizeOf(inner);
  return size;
}
