import { readFilesInside } from '../core/file-results.ts';
import { MAX_DEPTH } from '../schema/bounds.ts';
import { toJson } from '../schema/to-json.ts';
import type { JsonResult } from '../schema/to-json.ts';

/** Arguments as JSON, with files in base64. */
export async function toJsonWithFiles(input: unknown): Promise<JsonResult> {
  const carried = toJson(input, MAX_DEPTH, true);
  if (carried.problem) return carried;
  const { value } = (await readFilesInside(carried.value, Infinity)) as { readonly value: unknown };
  return { value };
}
