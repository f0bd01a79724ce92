import { MAX_DEPTH } from './bounds.ts';
import { isBlob } from './file-form.ts';
import { isRecord } from './json-schema.ts';

interface Form {
  readonly body: Blob;
  /** With the boundary. */
  readonly type: string;
}

/** Whether a value contains files, down to this level. */
export function hasBlobs(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  return isBlob(value) || Object.values(value).some((inner) => hasBlobs(inner, levels - 1));
}

/**
 * multipart/form-data. Not with FormData, which changes line breaks in strings. Undefined if a form cannot express the
 * arguments: `null`, an empty list, a file in a list of objects.
 */
export function toForm(fields: Readonly<Record<string, unknown>>): Form | undefined {
  const boundary = `everywire-${randomText()}`;
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

/** Not `randomUUID`, which pages of other machines have only over HTTPS. */
const randomText = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join('');

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
    return isRecord(value) && !isBlob(value) && hasBlobs(value, MAX_DEPTH)
      ? append(add, value, `${name}.`)
      : appendOne(add, name, value);
  });
}

function appendOne(add: Add, name: string, value: unknown): boolean {
  if (value === null || (!isBlob(value) && hasBlobs(value, MAX_DEPTH))) return false;
  add(name, isBlob(value) || typeof value === 'string' ? value : JSON.stringify(value));
  return true;
}
