import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { suggest } from '../schema/suggest.ts';
import type { ClientOptions } from './client.ts';
import type { Connection } from './connection.ts';
import { ACCEPT, ask } from './http-answer.ts';
import { fetchDocument } from './openapi-document.ts';
import type { Document, Operation } from './openapi-document.ts';
import { toBody } from './to-body.ts';

/** Any service that an OpenAPI document describes, by its operationIds. */
export function connectOpenApi(url: URL, { headers = {}, fetch: send = fetch }: ClientOptions): Connection {
  let known: Promise<Document> | undefined;
  const document = () => (known ??= fetchDocument(send, url, headers));

  return {
    async call(name, input, options) {
      const { operations, server } = await document();
      const operation = operations.find((one) => one.name === name);
      if (!operation) return notFound(name, operations);
      const request = toRequest(operation, input);
      if ('ok' in request) return request;
      const target = new URL(server ?? '/', url);
      if (!target.pathname.endsWith('/')) target.pathname += '/';
      const init = {
        method: operation.method,
        headers: {
          accept: ACCEPT,
          ...(request.body && { 'content-type': 'application/json' }),
          ...request.headers,
          ...headers,
        },
        ...(request.body && { body: request.body }),
      };
      return ask(send, new URL(request.path.replace(/^\//, ''), target), init, options, async () => operation.revive);
    },
    list: async () => (await document()).operations,
    close: async () => {},
  };
}

function notFound(name: string, operations: readonly Operation[]): Failed {
  const meant = suggest(
    name,
    operations.map((operation) => operation.name),
  );
  return refuse('FUNCTION_NOT_FOUND', `Function not found: ${name}${meant ? ` (is ${meant} meant?)` : ''}`);
}

interface Request {
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Each argument where the document wants it: in the path, the query, a header, or the body. */
function toRequest({ path, parameters, hasBody }: Operation, input: unknown = {}): Request | Failed {
  if (!isRecord(input)) return refuse('INVALID_ARGUMENTS', 'Invalid arguments: expected object');
  const missing = parameters.filter(({ name, required }) => required && input[name] === undefined);
  if (missing.length > 0) {
    const problems = missing.map(({ name }) => `/${name}: required`);
    return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${problems.join('; ')}`);
  }
  const given = parameters.filter(({ name }) => input[name] !== undefined);
  const filled = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((sofar, { name }) => sofar.replace(`{${name}}`, encodeURIComponent(asText(input[name]))), path);
  const query = new URLSearchParams(
    given
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name }) => [input[name]].flat().map((value) => [name, asText(value)])),
  );
  const headers = given.filter((parameter) => parameter.in === 'header').map(({ name }) => [name, asText(input[name])]);
  const rest = Object.entries(input).filter(([name]) => !parameters.some((parameter) => parameter.name === name));
  if (!hasBody && rest.length > 0) {
    const problems = rest.map(([name]) => `/${name}: not a known field`);
    return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${problems.join('; ')}`);
  }
  const body = hasBody ? toBody(Object.fromEntries(rest)) : undefined;
  if (body !== undefined && typeof body !== 'string') return body;
  const asked = query.toString();
  return {
    path: asked ? `${filled}?${asked}` : filled,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
