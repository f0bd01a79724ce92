import { returnsFile } from '../../core/file-outputs.ts';
import { fromBase64, toBase64 } from '../../schema/base64.ts';
import type { ContentBlock } from '../../schema/content-blocks.ts';
import type { FileForm } from '../../schema/file-form.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { Described } from '../profiles/profile.ts';

/** The name and the type of a file in the `_meta` of a tool result. Its bytes are in the first block. */
const FILE_META = 'everywire/file';

/** A file as a tool result: an image or a sound that clients show, or an embedded resource. */
export function toFileResult(form: FileForm, more: readonly ContentBlock[] = []): object {
  const { name = '', type = '' } = form;
  return { content: [toBlock(form), ...more], isError: false, _meta: { [FILE_META]: { name, type } } };
}

function toBlock({ name = '', type = '', data }: FileForm): ContentBlock {
  const mimeType = type || 'application/octet-stream';
  const kind = /^(image|audio)\//.exec(type)?.[1] as 'image' | 'audio' | undefined;
  if (kind) return { type: kind, data, mimeType };
  const uri = `file:///${encodeURIComponent(name || 'file')}`;
  const text = /^text\/|[/+]json\b|[/+]xml\b/.test(type) ? decode(fromBase64(data)) : undefined;
  return { type: 'resource', resource: { uri, mimeType, ...(text === undefined ? { blob: data } : { text }) } };
}

/** Undefined if it is not UTF-8: then the text would have other bytes than the file. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The file in a tool result; undefined if there is none. */
export function fromFileResult(result: unknown): FileForm | undefined {
  if (!isRecord(result) || !isRecord(result['_meta']) || result['isError'] === true) return undefined;
  const meta = result['_meta'][FILE_META];
  const [block] = Array.isArray(result['content']) ? (result['content'] as readonly unknown[]) : [];
  if (!isRecord(meta) || !isRecord(block)) return undefined;
  const { text, blob, data = blob } = isRecord(block['resource']) ? block['resource'] : block;
  const bytes = typeof text === 'string' ? toBase64(new TextEncoder().encode(text)) : data;
  if (typeof bytes !== 'string') return undefined;
  const { name, type } = meta;
  return { ...given('name', name), ...given('type', type), data: bytes };
}

const given = (key: string, value: unknown) => (typeof value === 'string' && value !== '' ? { [key]: value } : {});

/** Whether a function's result is a file. */
export function isFileFunction({ returned }: Described): boolean {
  return returnsFile(returned);
}
