import { factsOf, statusLine } from '../../core/codes.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { Registry } from '../../core/registry.ts';
import { plain } from '../../responses/profiles/plain.ts';
import { render } from '../../app/respond.ts';
import type { HttpReply, HttpRequest } from '../http/message.ts';
import { routesOf, tableFor } from '../http/routes.ts';

/** The meta-variables of RFC 3875, which the web server sets. */
export type CgiVariables = Readonly<Record<string, string | undefined>>;

/** A request for the HTTP wire, without its body. */
export function decodeCgi(variables: CgiVariables, app: Registry): Omit<HttpRequest, 'body'> {
  const { REQUEST_METHOD = 'GET', PATH_INFO = '', QUERY_STRING = '' } = variables;
  const { REMOTE_ADDR, REMOTE_USER, AUTH_TYPE = '', HTTPS = '', REQUEST_SCHEME } = variables;
  return {
    method: REQUEST_METHOD,
    target: targetOf(PATH_INFO, app) + (QUERY_STRING && `?${QUERY_STRING}`),
    headers: headersIn(variables),
    ...(REMOTE_ADDR && { address: REMOTE_ADDR }),
    scheme: /^(?:on|1)$/i.test(HTTPS) || REQUEST_SCHEME === 'https' ? 'https' : 'http',
    // Only the web server can set it: a header named Remote-User is HTTP_REMOTE_USER.
    ...(REMOTE_USER && { user: { name: REMOTE_USER, type: AUTH_TYPE } }),
  };
}

/** Web servers decode the path, and the HTTP wire expects it encoded. */
function targetOf(path: string, app: Registry): string {
  const segments = path.split('/').map(encodeURIComponent);
  // Node has replaced bytes that are not UTF-8. They are sent on as such, so that nobody takes them for a value.
  const encoded = segments.join('/').replaceAll('%EF%BF%BD', '%FF') || '/';
  return isShort(path, app) ? `/functions${encoded}` : encoded;
}

/** `/Add` is short for `/functions/Add`, unless it is, or begins, a path of the table. */
function isShort(path: string, app: Registry): boolean {
  const paths = new Set([...tableFor(app.functions), ...app.functions.flatMap(routesOf)].map((route) => route.path));
  const [before, first = '', ...rest] = path.split('/');
  if (first === '' || paths.has(path)) return before !== '';
  const isFunction = rest.length === 0 && app.find(first) !== undefined;
  return isFunction || ![...paths].some((one) => one.split('/')[1] === first);
}

function headersIn(variables: CgiVariables): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    // httpoxy: HTTP_PROXY comes from a client's Proxy header, but libraries take it for a proxy's address.
    if (!name.startsWith('HTTP_') || name === 'HTTP_PROXY' || value === undefined) continue;
    headers[name.slice('HTTP_'.length).toLowerCase().replaceAll('_', '-')] = toLatin1(value);
  }
  if (variables['CONTENT_TYPE']) headers['content-type'] = variables['CONTENT_TYPE'];
  headers['host'] ??= variables['SERVER_NAME'] ?? '';
  return headers;
}

/** Node decodes environment variables as UTF-8, but headers as Latin-1. */
function toLatin1(value: string): string {
  if (/^[\t -~]*$/.test(value)) return value;
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join('');
}

/**
 * How many bytes of stdin are the body. Without CONTENT_LENGTH, methods such as GET have no body, and others (a chunked
 * request) read until stdin ends.
 */
export function bodyLength({ CONTENT_LENGTH, REQUEST_METHOD = 'GET' }: CgiVariables): number | 'all' | Failed {
  if (CONTENT_LENGTH === undefined) return WITHOUT_BODY.has(REQUEST_METHOD) ? 0 : 'all';
  if (/^\d*$/.test(CONTENT_LENGTH)) return Number(CONTENT_LENGTH);
  return refuse('BAD_REQUEST', `Invalid CONTENT_LENGTH: ${JSON.stringify(CONTENT_LENGTH.slice(0, 100))}`);
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

export function tooShort(length: number, received: number): Failed {
  return refuse('BAD_REQUEST', `The body ends after ${received} of ${length} bytes`);
}

/** The path of the script, for the OpenAPI document. */
export function baseOf({ SCRIPT_NAME = '' }: CgiVariables): string {
  return encodeURI(SCRIPT_NAME) || '/';
}

/** The response when there is no app: it failed to load, or died. */
export function replyWithoutApp(failure: Failed): HttpReply {
  const { code } = failure.error;
  const headers = { 'content-type': 'application/json', 'everywire-error-code': code };
  return { status: factsOf(code).status, headers, body: render(failure, undefined, plain).body };
}

/** The head of a response, and its body unless the request was HEAD. */
export function encodeCgi(
  { status, headers, body }: HttpReply,
  method: string,
): { readonly head: string; readonly body: HttpReply['body'] } {
  const isEmpty = status === 204 || status === 304;
  // Nobody reads it, and it may hold a file open.
  if (typeof body !== 'string' && (isEmpty || method === 'HEAD')) void body.cancel();
  const length = isEmpty || typeof body !== 'string' ? {} : { 'content-length': new TextEncoder().encode(body).length };
  const lines = Object.entries({ ...headers, ...length }).map(
    // Header injection: values may come from the client, so line breaks are replaced.
    ([name, value]) => `${titleCase(name)}: ${String(value).replaceAll(/[\r\n]+/g, ' ')}\r\n`,
  );
  return {
    head: `Status: ${statusLine(status)}\r\n${lines.join('')}\r\n`,
    body: isEmpty || method === 'HEAD' ? '' : body,
  };
}

/** `content-type` → `Content-Type`, for readers and for logs of web servers. */
function titleCase(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}
