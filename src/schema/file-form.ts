import { BASE64, fromBase64 } from './base64.ts';
import { FORM_KEYWORD } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** A file in JSON. Functions and clients get a web-standard `File`. */
export interface FileForm {
  readonly name?: string;
  /** The media type. */
  readonly type?: string;
  /** Base64. */
  readonly data: string;
}

/** The schema of a file. A `File` is valid too: it travels unread where a wire can carry it as it is. */
export const fileSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    type: { type: 'string' },
    data: { type: 'string', contentEncoding: 'base64', pattern: BASE64 },
  },
  required: ['data'],
  [FORM_KEYWORD]: 'file',
} as const;

/** Whether a schema describes a file. References must have been resolved. */
export function isFileSchema(schema: JsonSchema): boolean {
  return schema[FORM_KEYWORD] === 'file';
}

/** Whether a schema describes bytes that travel as base64. References must have been resolved. */
export function isBytesSchema(schema: JsonSchema): boolean {
  return schema[FORM_KEYWORD] === 'bytes' || (schema.type === 'string' && schema['contentEncoding'] === 'base64');
}

export function isBlob(value: unknown): value is Blob {
  return value instanceof Blob;
}

/** Decodes the JSON form. */
export function fromFileForm({ name = '', type = '', data }: FileForm): File {
  return new File([fromBase64(data) as Uint8Array<ArrayBuffer>], baseName(name), { type: mediaType(type) });
}

/** A file in logs and audit records: everything except its bytes. */
export function describeFile(value: unknown): object {
  const { name, type, size, data } = value as Record<string, unknown>;
  const bytes = typeof data === 'string' ? Math.floor((data.replace(/={1,2}$/, '').length * 3) / 4) : 0;
  return { name: shown(name), type: shown(type), size: isBlob(value) ? size : bytes };
}

const shown = (text: unknown) => (typeof text === 'string' ? text.slice(0, LONGEST_NAME) : '');

// Few file systems allow more.
const LONGEST_NAME = 255;

/**
 * The last part of a path, without control characters: what a caller names a file must not lead out of a folder, and must
 * not end a header line.
 */
export function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const printable = name
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, LONGEST_NAME)
    .toWellFormed();
  return /^\.{0,2}$/.test(printable) ? '' : printable;
}

/** A media type that is safe in a header; empty if it is none. */
export function mediaType(text: string): string {
  const type = text.trim().toLowerCase();
  return type.length <= LONGEST_NAME && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ]*;[\t -~]*)?$/.test(type) ? type : '';
}
