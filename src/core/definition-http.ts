import { allowsType } from '../schema/allows-type.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { resolve } from '../schema/schema-tree.ts';
import { hasSecrets } from '../schema/secrets.ts';
import type { FunctionDefinition, HttpOptions } from './function.ts';
import { parametersIn, problemsInPath } from './http-path.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

/** How HTTP and CGI serve a function, in addition to `POST /functions/<name>`. */
export interface HttpFacts {
  /** GET works on `/functions/<name>` too. */
  readonly method: 'GET' | 'POST';
  readonly path: string | undefined;
  /** For successful responses to GET. */
  readonly cacheControl: string;
}

const OPTIONS = { method: true, path: true, cacheControl: true } satisfies Known<HttpOptions>;

/** Reads `http`, and adds what is wrong with it to `problems`. */
export function readHttp(
  { http = {}, hints }: FunctionDefinition,
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
  if (method !== 'GET' && method !== 'POST') found(`method must be "GET" or "POST", not ${JSON.stringify(method)}`);
  if (method === 'GET') {
    // Any page can make a browser send a GET, and browsers and proxies repeat it.
    if (!isReadOnly) found('GET is only for functions that change nothing; add hints: { readOnly: true }');
    if (hasSecrets(input)) found('the input has secrets, and URLs are logged; set method: "POST"');
  }
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
  return { method, path, cacheControl: cacheControl ?? 'no-cache' };
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
