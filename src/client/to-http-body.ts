import type { Failed } from '../core/outcome.ts';
import { MAX_DEPTH } from '../schema/bounds.ts';
import { isRecord } from '../schema/json-schema.ts';
import { hasBlobs, toForm } from '../schema/to-form.ts';
import { toJson } from '../schema/to-json.ts';
import { toBody } from './to-body.ts';
import { toJsonWithFiles } from './to-json-with-files.ts';

interface HttpBody {
  readonly body: string | Blob;
  readonly type: string;
}

/** Arguments as the body of a request: JSON, or a form if they contain files, which then need not be in memory. */
export async function toHttpBody(input: unknown): Promise<HttpBody | Failed> {
  const carried = hasBlobs(input, MAX_DEPTH) ? toJson(input, MAX_DEPTH, true) : undefined;
  const form = carried && !carried.problem && isRecord(carried.value) ? toForm(carried.value) : undefined;
  if (form) return form;
  const read = carried && (await toJsonWithFiles(input));
  const body = toBody(read && !read.problem ? read.value : input);
  return typeof body === 'string' ? { body, type: 'application/json' } : body;
}
