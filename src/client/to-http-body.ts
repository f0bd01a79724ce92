import type { Failed } from '../core/outcome.ts';
import { MAX_DEPTH } from '../schema/bounds.ts';
import { isBlob } from '../schema/file-form.ts';
import { isRecord } from '../schema/json-schema.ts';
import { toJson } from '../schema/to-json.ts';
import { toBody } from './to-body.ts';
import { toJsonWithFiles } from './to-json-with-files.ts';

interface HttpBody {
  readonly body: string | Blob;
  readonly type: string;
}

/** Arguments as the body of a request: JSON, or a form if they contain files, which then need not be in memory. */
export async function toHttpBody(input: unknown): Promise<HttpBody | Failed> {
  const carried = hasFiles(input, MAX_DEPTH) ? toJson(input, MAX_DEPTH, true) : undefined;
  const form = carried && !carried.problem && isRecord(carried.value) ? toForm(carried.value) : undefined;
  if (form) return form;
  const read = carried && (await toJsonWithFiles(input));
  const body = toBody(read && !read.problem ? read.value : input);
  return typeof body === 'string' ? { body, type: 'application/json' } : body;
}

function hasFiles(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return isBlob(value) || Object.values(value).some((inner) => hasFiles(inner, levels - 1));
}

/**
 * multipart/form-data. Not with FormData, which changes line breaks in strings. Undefined if a form cannot express the
 * arguments: `null`, an empty list, a file in a list of objects.
 */
function toForm(fields: Readonly<Record<string, unknown>>): HttpBody | undefined {
  const boundary = `everywire-${crypto.randomUUID()}`;
  const parts: (string | Blob)[] = [];
  const add = (name: string, value: string | Blob) => {
    const about = isBlob(value)
      ? `; filename="${escaped(nameOf(value))}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`
      : '';
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${about}\r\n\r\n`,
      value,
      '\r\n',
    );
  };
  if (!append(add, fields, '')) return undefined;
  const type = `multipart/form-data; boundary=${boundary}`;
  return { body: new Blob([...parts, `--${boundary}--\r\n`]), type };
}

const nameOf = (blob: Blob) => (blob instanceof File && blob.name) || 'blob';

/** As browsers do. */
const escaped = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

type Add = (name: string, value: string | Blob) => void;

function append(add: Add, fields: Readonly<Record<string, unknown>>, prefix: string): boolean {
  return Object.entries(fields).every(([key, value]) => {
    const name = prefix + key;
    if (value === undefined) return true;
    if (key.includes('.')) return false;
    if (Array.isArray(value)) return value.length > 0 && value.every((item) => appendOne(add, name, item));
    return isRecord(value) && !isBlob(value) && hasFiles(value, MAX_DEPTH)
      ? append(add, value, `${name}.`)
      : appendOne(add, name, value);
  });
}

function appendOne(add: Add, name: string, value: unknown): boolean {
  if (value === null || (!isBlob(value) && hasFiles(value, MAX_DEPTH))) return false;
  add(name, isBlob(value) || typeof value === 'string' ? value : JSON.stringify(value));
  return true;
}
