import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { suggest } from '../schema/suggest.ts';
import type { ClientOptions } from './client.ts';
import { findCallable } from './connection.ts';
import type { Connection } from './connection.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { ACCEPT, ACCEPT_STREAM, MAX_BUFFERED_FILE, sendRequest } from './http-response.ts';
import { httpTasks } from './http-tasks.ts';
import { memoizeAsync } from './memoize-async.ts';
import { fetchDocument } from './openapi-document.ts';
import type { Operation } from './openapi-document.ts';
import { termHeaders } from './term-headers.ts';
import { toBody } from './to-body.ts';
import { toJsonWithFiles } from './to-json-with-files.ts';

/** Calls any service that an OpenAPI document describes, by operationId. */
export function connectOpenApi(url: URL, options: ClientOptions): Connection {
  const { headers = {}, maxBufferedFile = MAX_BUFFERED_FILE } = options;
  const send = guardedFetch(url, options);
  const sender = { send, maxBufferedFile };
  const document = memoizeAsync(() => fetchDocument(send, url, headers));

  return {
    async call(name, input, signal, hooks, terms) {
      const { operations, server } = await document();
      const operation = findCallable(operations, name);
      if (!operation) return notFound(name, operations);
      const carried = input === undefined ? { value: input } : await toJsonWithFiles(input);
      const request = toRequest(operation, carried.problem ? input : carried.value);
      if ('ok' in request) return request;
      const base = baseOf(server);
      const { body, path } = request;
      const typed = {
        accept: hooks && operation.isOurs ? ACCEPT_STREAM : ACCEPT,
        ...(body && { 'content-type': 'application/json' }),
        ...request.headers,
        ...(operation.isOurs && termHeaders(terms)),
        ...headers,
      };
      const init = { method: operation.method, headers: typed, ...(body && { body }), ...(signal && { signal }) };
      return sendRequest(sender, new URL(base + path), init, async () => operation, hooks);
    },
    tasks: httpTasks({
      sender,
      headers,
      root: async () => baseOf((await document()).server),
      expected: async (name) => findCallable((await document()).operations, name) ?? { isOurs: true },
    }),
    list: async () => (await document()).operations,
    close: async () => {},
  };

  function baseOf(server: string | undefined): string {
    return new URL(server || '/', url).href.replace(/\/$/, '');
  }
}

function notFound(name: string, operations: readonly Operation[]): Failed {
  const similar = suggest(
    name,
    operations.map((operation) => operation.name),
  );
  return refuse('FUNCTION_NOT_FOUND', `Function not found: ${name}${similar ? ` (did you mean ${similar}?)` : ''}`);
}

interface Request {
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Puts each argument where the document says: path, query, header, cookie or body. */
export function toRequest({ path, parameters, body }: Operation, input: unknown = {}): Request | Failed {
  if (!isRecord(input)) return invalid(['expected object']);
  const present = parameters.filter(({ name }) => input[name] !== undefined);
  const valuesIn = (place: string): [string, string][] =>
    present.filter((parameter) => parameter.in === place).map(({ name }) => [name, asText(input[name])]);
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name]) => !parameters.some((parameter) => parameter.name === name)),
  );
  const problems = [
    ...parameters
      .filter(({ name, required }) => required && input[name] === undefined)
      .map(({ name }) => `/${name}: required`),
    // URL parsers resolve `.` and `..` even if they are percent-encoded.
    ...valuesIn('path').flatMap(([name, text]) => (/^\.{0,2}$/.test(text) ? [`/${name}: not allowed in a path`] : [])),
    ...(body === 'none' ? Object.keys(rest).map((name) => `/${name}: not a known field`) : []),
  ];
  if (problems.length > 0) return invalid(problems);
  const sent = body === 'none' ? undefined : toBody(body === 'fields' ? rest : rest['body']);
  if (sent !== undefined && typeof sent !== 'string') return sent;
  const filled = valuesIn('path').reduce(
    (result, [name, text]) => result.replace(`{${name}}`, encodeURIComponent(text)),
    path,
  );
  const query = new URLSearchParams(
    present
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name }) => [input[name]].flat().map((value) => [name, asText(value)])),
  ).toString();
  const cookies = valuesIn('cookie').map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return {
    path: query ? `${filled}?${query}` : filled,
    headers: { ...Object.fromEntries(valuesIn('header')), ...(cookies.length > 0 && { cookie: cookies.join('; ') }) },
    body: sent,
  };
}

const invalid = (problems: readonly string[]): Failed =>
  refuse('INVALID_ARGUMENTS', `Invalid arguments: ${problems.join('; ')}`);

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
