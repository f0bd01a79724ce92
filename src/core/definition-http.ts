import { allowsType } from '../schema/allows-type.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { resolve } from '../schema/schema-tree.ts';
import { hasSecrets } from '../schema/secrets.ts';
import { hasFiles } from '../schema/revive.ts';
import type { FunctionDefinition, HttpMethod, HttpOptions } from './function.ts';
import { parametersIn, problemsInPath } from './http-path.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

/** How HTTP and CGI serve a function, in addition to `POST /functions/<name>`. */
export interface HttpFacts {
  /** Works on `/functions/<name>` too. */
  readonly method: HttpMethod;
  readonly path: string | undefined;
  /** For successful responses to GET. */
  readonly cacheControl: string;
  /** Of a success, if it is not 200. */
  readonly status?: 201 | 202 | 204;
  /** Headers that the function may set, by lower-case name. */
  readonly headers?: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
  readonly rawBody?: true;
}

/** Whether a function needs more of HTTP than arguments and a body. */
export const needsHttp = ({ status, headers, rawBody }: HttpFacts) => (status ?? headers ?? rawBody) !== undefined;

const OPTIONS = {
  method: true,
  path: true,
  cacheControl: true,
  status: true,
  headers: true,
  rawBody: true,
} satisfies Known<HttpOptions>;
const METHODS: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[];
const STATUSES: ReadonlySet<unknown> = new Set([undefined, 200, 201, 202, 204]);

/** Headers of the connection (RFC 9110, section 7.6.1), and those that the framework or the server around it decides. */
const RESERVED =
  /^(?:connection|keep-alive|http2-settings|proxy-.*|te|trailer|transfer-encoding|upgrade|content-.*|vary|date|server|allow|etag|cache-control|retry-after|set-cookie2?|www-authenticate|x-request-id|x-content-type-options|x-accel-.*|everywire-.*|access-control-.*|status|preference-applied)$/;

/** Reads `http`, and adds what is wrong with it to `problems`. */
export function readHttp(
  { http = {}, hints, task = 'never', output, outputs }: FunctionDefinition,
  input: JsonSchema,
  readMethod: 'GET' | undefined,
  problems: string[],
): HttpFacts {
  const found = (problem: string) => void problems.push(`http: ${problem}`);
  const given: HttpOptions = isRecord(http) ? http : {};
  if (!isRecord(http)) found('must be an object, such as { method: "GET" }');
  problems.push(...unknownOptions(http, OPTIONS, 'http'));
  const isReadOnly = hints?.readOnly === true;
  const { method = (isReadOnly && readMethod) || 'POST', path, cacheControl } = given;
  if (!METHODS.includes(method)) found(`method must be one of ${METHODS.join(', ')}, not ${JSON.stringify(method)}`);
  if (method === 'GET') {
    // Any page can make a browser send a GET, and browsers and proxies repeat it.
    if (!isReadOnly) found('GET is only for functions that change nothing; add hints: { readOnly: true }');
  }
  if ((method === 'GET' || method === 'DELETE') && hasSecrets(input))
    found('the input has secrets, and URLs are logged; set method: "POST"');
  const { status, headers, rawBody } = given;
  if (!STATUSES.has(status)) found(`status must be 200, 201, 202 or 204, not ${JSON.stringify(status)}`);
  if (method === 'GET' && (status ?? 200) !== 200) found('the status of GET is 200');
  if (status === 204 && (output ?? outputs)) found('status 204 has no body; leave out output and outputs');
  if (status === 202 && task !== 'never') found('status 202 means that the call became a task');
  const declared = readHeaders(headers, status, found);
  if (rawBody !== undefined && typeof rawBody !== 'boolean') found('rawBody must be true or false');
  if (rawBody && task !== 'never') found('rawBody is not kept for tasks; leave out task');
  if (rawBody && hasFiles(input)) found('rawBody is not for functions that take files, which are not kept in memory');
  if (cacheControl !== undefined) {
    if (typeof cacheControl !== 'string' || !/^[ -~]+$/.test(cacheControl)) {
      found('cacheControl must be the value of a Cache-Control header, such as "public, max-age=60"');
    }
    if (method !== 'GET') found('cacheControl is only for method: "GET"');
  }
  if (path !== undefined) {
    const inPath = problemsInPath(path);
    const problemsFound = inPath.length > 0 ? inPath : parametersIn(path).flatMap((name) => problemsIn(name, input));
    for (const problem of problemsFound) found(problem);
  }
  return {
    method,
    path,
    cacheControl: cacheControl ?? 'no-cache',
    ...(status !== undefined && status !== 200 && { status }),
    ...(declared && { headers: declared }),
    ...(rawBody && { rawBody }),
  };
}

function readHeaders(
  headers: HttpOptions['headers'],
  status: number | undefined,
  found: (problem: string) => void,
): HttpFacts['headers'] {
  if (headers === undefined) return undefined;
  if (!isRecord(headers)) found('headers must be an object, such as { Location: { description: "…" } }');
  const read: [string, { name: string; description: string }][] = [];
  for (const [name, declared] of Object.entries(headers ?? {})) {
    const lower = name.toLowerCase();
    const description: unknown = declared?.description;
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) found(`headers: "${name}" is not a name of a header`);
    else if (RESERVED.test(lower)) found(`headers: ${name} is set by the server; it cannot be declared`);
    else if (read.some(([other]) => other === lower)) found(`headers: ${name} is declared twice`);
    // A CGI response with Location and 200 is a redirect (RFC 3875, section 6.2.2).
    else if (lower === 'location' && status !== 201 && status !== 202)
      found('headers: Location needs status: 201 or 202');
    if (typeof description !== 'string' || description.trim() === '') found(`headers: ${name} has no description`);
    else read.push([lower, { name, description }]);
  }
  return Object.fromEntries(read);
}

/** Longer values would not pass through proxies. */
const MAX_VALUE = 4096;

/** A header as it is sent. Throws if the function did not declare it, or if the value could break the response apart. */
export function toHeader(declared: HttpFacts['headers'], name: unknown, value: unknown): [name: string, value: string] {
  const lower = String(name).toLowerCase();
  if (!declared || !Object.hasOwn(declared, lower))
    throw new TypeError(`The header ${JSON.stringify(name)} is not declared in http.headers`);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > MAX_VALUE || !/^[\t -~]*$/.test(text))
    throw new TypeError(`The value of the header ${lower} must be at most ${MAX_VALUE} ASCII characters in one line`);
  return [lower, text.trim()];
}

/** A parameter of a path must always be there, and have one string for each value. */
function problemsIn(name: string, input: JsonSchema): string[] {
  const declared = input.properties && Object.hasOwn(input.properties, name) ? input.properties[name] : undefined;
  if (!declared) return [`{${name}} is not a parameter of the input`];
  if (!input.required?.includes(name)) return [`{${name}} must be required, since it is in the path`];
  const problems: string[] = [];
  if (['object', 'array', 'null'].some((type) => allowsType(declared, type, input)))
    problems.push(`{${name}} must be a string, a number or a boolean`);
  if (hasSecrets(resolve({ schema: declared, root: input }))) {
    problems.push(`{${name}} is secret, and URLs are logged; leave it out of the path`);
  }
  return problems;
}
