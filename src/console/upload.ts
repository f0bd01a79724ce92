import { MAX_DEPTH } from '../schema/bounds.ts';
import { isBlob } from '../schema/file-form.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileRevive } from '../schema/revive.ts';
import { hasBlobs, toForm } from '../schema/to-form.ts';

/** Characters of arguments that are sent as JSON, in which files are a third larger, and bounded like all other bodies. */
const MOST_JSON = 64 * 1024;

interface Body {
  readonly body: string | Blob;
  readonly type: string;
}

/** Arguments as a request carries them: as JSON, or as a form if they contain large files. */
export function toRequestBody(schema: JsonSchema, json: string, takesFiles: boolean): Body {
  const form = takesFiles && json.length > MOST_JSON ? formOf(schema, json) : undefined;
  return form ?? { body: json, type: 'application/json' };
}

function formOf(schema: JsonSchema, json: string): Body | undefined {
  try {
    const sent: unknown = JSON.parse(json);
    const fields = withFiles(sent, compileRevive(schema, false)?.(sent));
    return isRecord(fields) && hasBlobs(fields, MAX_DEPTH) ? toForm(fields) : undefined;
  } catch {
    return undefined; // no JSON, or no base64: the server says so
  }
}

/** The value with its files; everything else stays as it is in JSON. */
function withFiles(value: unknown, revived: unknown): unknown {
  if (isBlob(revived) || typeof revived !== 'object' || revived === value) return isBlob(revived) ? revived : value;
  if (Array.isArray(value)) return value.map((item, i) => withFiles(item, (revived as readonly unknown[])[i]));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withFiles(inner, (revived as Record<string, unknown>)[key])]),
  );
}
