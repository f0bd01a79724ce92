import { Failure, isFailure } from '../core/failure.ts';
import { Definitions } from '../schema/embed.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileRevive } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import { resolve } from '../schema/schema-tree.ts';
import type { Callable } from './connection.ts';

/** An operation of an OpenAPI document, as a function. */
export interface Operation extends Callable {
  /** The name of an everywire function whose operationId does not contain it. */
  readonly functionName: string | undefined;
  readonly method: string;
  /** With `{placeholders}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Where other arguments go: nowhere, into the fields of a JSON body, or the argument `body` is the whole body. */
  readonly body: 'none' | 'fields' | 'whole';
  /** Whether responses have one of our profiles. */
  readonly isOurs: boolean;
  /** Decodes dates and the like: in the data of our profiles, or in the whole body of other services. */
  readonly revive: Revive | undefined;
  /** The same for chunks of a stream. */
  readonly reviveChunk: Revive | undefined;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Document {
  readonly operations: readonly Operation[];
  /** The first server URL, if there is one; may be relative to the document. */
  readonly server: string | undefined;
}

/** Fetches an OpenAPI document. Throws a `Failure` if that is not possible. */
export async function fetchDocument(
  send: typeof fetch,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Document> {
  let response: Response;
  try {
    response = await send(url, { headers: { accept: 'application/json', ...headers } });
  } catch (thrown) {
    if (isFailure(thrown)) throw thrown;
    throw new Failure('UNAVAILABLE', `The OpenAPI document ${url.href} cannot be reached`);
  }
  const document: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isRecord(document) || !isRecord(document['paths'])) {
    throw new Failure(
      'INVALID_RESPONSE_FORMAT',
      `${url.href} is not an OpenAPI document in JSON (status ${response.status})`,
    );
  }
  return readDocument(document);
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

export function readDocument(document: Record<string, unknown>): Document {
  const operations = Object.entries(document['paths'] as object).flatMap(([path, item]) =>
    isRecord(item)
      ? METHODS.flatMap((method) =>
          isRecord(item[method]) ? [readOperation(document, path, method, item, item[method])] : [],
        )
      : [],
  );
  const [server] = Array.isArray(document['servers']) ? (document['servers'] as readonly unknown[]) : [];
  return { operations, server: isRecord(server) ? serverUrl(server) : undefined };
}

/** Replaces variables by their defaults. */
function serverUrl({ url, variables }: Record<string, unknown>): string {
  const defaults = isRecord(variables) ? variables : {};
  return String(url).replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const variable = defaults[name];
    return isRecord(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole;
  });
}

function readOperation(
  root: JsonSchema,
  path: string,
  method: string,
  item: Record<string, unknown>,
  operation: Record<string, unknown>,
): Operation {
  const listed = [item['parameters'], operation['parameters']].flatMap((list) => (Array.isArray(list) ? list : []));
  const parameters = listed.map((one) => readParameter(resolve({ schema: one as JsonSchema, root })));
  const body = schemaIn(operation['requestBody'], root);
  const { operationId, summary, description } = operation;
  return {
    name: typeof operationId === 'string' ? operationId : `${method}${path.replaceAll(/\W+/g, '_')}`,
    ...(typeof summary === 'string' && { title: summary }),
    description: [description, summary].find((text) => typeof text === 'string') ?? '',
    inputSchema: inputOf(parameters, body, root),
    functionName: typeof operation[FUNCTION] === 'string' ? operation[FUNCTION] : undefined,
    method: method.toUpperCase(),
    path,
    parameters,
    body: body === undefined ? 'none' : isFields(body, root) ? 'fields' : 'whole',
    ...readResponses(isRecord(operation['responses']) ? operation['responses'] : {}, root),
  };
}

/** Our servers describe the header of error codes. Their data is converted once the profile is removed. */
function readResponses(
  responses: Record<string, unknown>,
  root: JsonSchema,
): Pick<Operation, 'isOurs' | 'revive' | 'reviveChunk'> {
  const isOurs = Object.values(responses).some((response) => {
    const { headers } = isRecord(response) ? resolve({ schema: response, root }) : {};
    return isRecord(headers) && Object.keys(headers).some((name) => name.toLowerCase() === ERROR_CODE_HEADER);
  });
  const [done] = Object.entries(responses).flatMap(([status, response]) => (/^2\d\d$/.test(status) ? [response] : []));
  const body = laterIn(done, root) ?? schemaIn(done, root);
  const schema = isOurs && body ? dataIn(body, root) : body;
  const { [YIELDS]: chunk } = isRecord(done) ? resolve({ schema: done, root }) : {};
  return {
    isOurs,
    revive: schema && compileRevive(schema, false, root),
    reviveChunk: isRecord(chunk) ? compileRevive(chunk, false, root) : undefined,
  };
}

/** The schema of the body that a task leads to, if the operation has no other success. */
function laterIn(accepted: unknown, root: JsonSchema): JsonSchema | undefined {
  const { [RESULT]: later } = isRecord(accepted) ? resolve({ schema: accepted, root }) : {};
  return isRecord(later) ? later : undefined;
}

const RESULT = 'x-everywire-result';

const FUNCTION = 'x-everywire-function';

const ERROR_CODE_HEADER = 'everywire-error-code';

/** The schema of a chunk of a stream. */
const YIELDS = 'x-everywire-yields';

/** The schema of the data in a body of any of our profiles; undefined if it has none. */
function dataIn(body: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { properties = {} } = resolve({ schema: body, root });
  const { structuredContent, data, result } = properties;
  if (structuredContent) return dataIn(structuredContent, root);
  const several = Object.keys(properties).filter((name) => /^result\d+$/.test(name));
  if (several.length > 0) return { prefixItems: several.map((name) => properties[name]) };
  return data ?? result;
}

function readParameter(found: JsonSchema): Parameter {
  const { name, in: place, required, schema, description } = found;
  return {
    name: String(name),
    in: place as Parameter['in'],
    required: (required as unknown) === true,
    schema: { ...(isRecord(schema) && schema), ...(description !== undefined && { description }) },
  };
}

/** The schema of the JSON in a request or a response. */
function schemaIn(holder: unknown, root: JsonSchema): JsonSchema | undefined {
  const { content } = isRecord(holder) ? resolve({ schema: holder, root }) : {};
  if (!isRecord(content)) return undefined;
  const found = Object.entries(content).find(([type]) => /json/.test(type));
  return isRecord(found?.[1]) && isRecord(found[1]['schema']) ? found[1]['schema'] : undefined;
}

function isFields(body: JsonSchema, root: JsonSchema): boolean {
  const { type, properties } = resolve({ schema: body, root });
  return type === 'object' || properties !== undefined;
}

/** Merges parameters and the fields of the body into one self-contained object schema. */
function inputOf(parameters: readonly Parameter[], body: JsonSchema | undefined, root: JsonSchema): JsonSchema {
  const shelf = new Definitions('#/$defs/');
  const copy = (schema: JsonSchema, name: string) => shelf.embedPart(schema, root, name);
  const fields = body && resolve({ schema: body, root });
  const properties = Object.fromEntries([
    ...parameters.map(({ name, schema }) => [name, copy(schema, name)]),
    ...Object.entries(fields?.properties ?? {}).map(([name, schema]) => [name, copy(schema, name)]),
    ...(body && !isFields(body, root) ? [['body', copy(body, 'body')]] : []),
  ]) as Record<string, JsonSchema>;
  const needed = parameters.filter(({ required }) => required).map(({ name }) => name);
  const required = [...needed, ...(fields?.required ?? [])];
  const $defs = shelf.schemas;
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(Object.keys($defs).length > 0 && { $defs }),
  };
}
