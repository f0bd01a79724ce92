import { refuse } from '../../core/failure.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { truncate } from '../../schema/truncate.ts';
import { decodeJson } from '../json-body.ts';
import type { HttpHeaders, HttpRequest } from './message.ts';

/** Arguments, or why there are none. */
export type Decoded = { readonly input: unknown } | Failed;

/** The arguments in a request's body, and in its path: undefined when both are empty. */
export function decodeBody(
  request: HttpRequest,
  query: string,
  values: readonly string[],
  fn: RegisteredFunction | undefined,
  limits: Limits,
): Decoded | Promise<Decoded> {
  const { headers, body } = request;
  const refused = (query === '' ? undefined : refuseQuery(query, request.method)) ?? refuseEncoded(headers);
  if (refused) return refused;
  const type = headers['content-type'];
  if (type === undefined || type === 'application/json' || isJson(String(type))) {
    const decoded = decodeJson(body, limits.depth);
    if (!fn || values.length === 0 || 'ok' in decoded) return decoded;
    return import('../query/decode.ts').then(({ addPathValues }) => addPathValues(decoded.input, values, fn));
  }
  if (isForm(String(type))) {
    if (!fn) return { input: undefined };
    return import('../query/decode.ts').then(({ decodeForm }) => decodeForm(body, values, fn, limits));
  }
  if (fn?.takesFiles && isMultipart(headers)) {
    return import('../multipart/decode.ts').then(({ decodeMultipart }) => decodeMultipart(request, values, fn, limits));
  }
  return refuse('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type: ${String(type)} (send application/json in UTF-8)`);
}

/** The query of a POST may select the profile. Anything else would be ignored, and was meant as an argument. */
function refuseQuery(query: string, method: string): Failed | undefined {
  const name = [...new URLSearchParams(query).keys()].find((key) => key !== 'profile');
  if (name === undefined) return undefined;
  const sent = JSON.stringify(truncate(name, 60));
  return refuse('BAD_REQUEST', `${sent} in the query is not read with ${method}; send the arguments in the body`);
}

/** Refuses compressed bodies: a small one can decompress to a thousand times its size. */
export function refuseEncoded(headers: HttpHeaders): Failed | undefined {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return undefined;
  const names = String(encoding).split(',');
  if (names.every((name) => /^\s*(?:identity)?\s*$/i.test(name))) return undefined;
  return refuse(
    'UNSUPPORTED_MEDIA_TYPE',
    `Unsupported content encoding: ${String(encoding)} (send the body uncompressed)`,
  );
}

/** An empty type means JSON. */
function isJson(header: string): boolean {
  return isType(header, (type) => type === '' || /^application\/(?:[\w.-]+\+)?json$/.test(type));
}

function isForm(header: string): boolean {
  return isType(header, (type) => type === 'application/x-www-form-urlencoded');
}

/** Whether the body may contain files. */
export function isMultipart(headers: HttpHeaders): boolean {
  const type = headers['content-type'];
  return type !== undefined && type !== 'application/json' && /^multipart\/form-data\s*(?:;|$)/i.test(String(type));
}

/** Parameters other than charset are ignored. */
function isType(header: string, isWanted: (type: string) => boolean): boolean {
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return isWanted(type) && !parameters.some(isForeignCharset);
}

function isForeignCharset(parameter: string): boolean {
  return parameter.startsWith('charset') && !/^charset="?utf-?8"?$/.test(parameter);
}
