import { baseName, mediaType } from '../../schema/file-form.ts';
import { MultipartMistake } from './parser.ts';

/** What the headers of a part say. */
export interface PartHeaders {
  /** The parameter that it belongs to. */
  readonly name: string;
  /** Without folders. Undefined if the part is not a file; empty if the file has no name. */
  readonly fileName: string | undefined;
  readonly type: string;
}

export function readPartHeaders(text: string): PartHeaders {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = readParameters(disposition);
  const name = parameters.get('name');
  if (!/^form-data\s*(?:;|$)/i.test(disposition) || name === undefined) {
    throw new MultipartMistake('a part has no Content-Disposition: form-data with a name');
  }
  const type = mediaType(headers.get('content-type') ?? '');
  // The fetch of Node.js leaves an empty name out.
  const unnamed = type === 'application/octet-stream' ? '' : undefined;
  const fileName = extended(parameters.get('filename*')) ?? parameters.get('filename') ?? unnamed;
  return { name: unescaped(name), fileName: fileName === undefined ? undefined : baseName(unescaped(fileName)), type };
}

// The alternatives in quotes begin with different characters, so that no text is tried in two ways.
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]*))/gs;

function readParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replaceAll('\\"', '"') ?? token);
  }
  return found;
}

/** Browsers escape these three characters, and no others (HTML, "multipart/form-data encoding algorithm"). */
function unescaped(text: string): string {
  return text.replaceAll(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** RFC 8187: `UTF-8''na%C3%AFve.txt`. Undefined if it is broken: then the other name counts. */
function extended(text: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(text ?? '')?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The boundary in a Content-Type; undefined if there is none, or one that RFC 2046 does not allow. */
export function boundaryOf(contentType: string): string | undefined {
  const boundary = readParameters(contentType).get('boundary');
  return boundary !== undefined && /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : undefined;
}
