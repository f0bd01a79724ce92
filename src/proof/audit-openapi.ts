import { guardedFetch } from '../client/guarded-fetch.ts';
import { toRequest } from '../client/openapi-connection.ts';
import { readDocument } from '../client/openapi-document.ts';
import type { Operation } from '../client/openapi-document.ts';
import { checkResponse } from '../responses/check-response.ts';
import { profileNames } from '../responses/profiles/profile.ts';
import type { ProfileName } from '../responses/profiles/profile.ts';
import { schemaCheck } from '../responses/rules/matches.ts';
import { Definitions } from '../schema/embed.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { resolve } from '../schema/schema-tree.ts';
import type { AuditRule } from './audit-rules.ts';
import { profileOf } from './check-body.ts';
import { fromOpenApi30 } from './from-openapi-30.ts';
import type { AuditOptions, AuditReport, Finding } from './finding.ts';
import { UnreachableError, reasonOf } from './finding.ts';
import { generateArguments } from './generate-arguments.ts';
import { generateValue } from './generate-value.ts';
import { seeded } from './random.ts';

/** Calls the read-only operations of a service, and checks every response against its OpenAPI document. */
export async function auditOpenApi(url: URL, options: AuditOptions): Promise<AuditReport> {
  // The document, or a redirect, may name another origin: the headers may be credentials, which are not for that one.
  const guarded = guardedFetch(url, options);
  const document = await fetchJson(guarded, url, options);
  const { operations, server } = readDocument(document);
  const base = new URL(server || '/', url).href.replace(/\/$/, '');
  // HTTP defines GET as safe; a document cannot declare other methods as safe.
  const callable = operations.filter(({ method }) => options.all || method === 'GET');
  const random = seeded(options.seed);
  const findings: Finding[] = [];
  let responses = 0;

  for (const operation of callable) {
    const inputs = Array.from({ length: options.calls }, () =>
      generateValue(random, operation.inputSchema, operation.inputSchema),
    );
    // Invalid arguments too, since failures must match the document as well.
    const anyArguments = Array.from(
      { length: options.calls },
      () => generateArguments(random, operation.inputSchema).value,
    );
    for (const input of [...inputs, ...anyArguments]) {
      const request = toRequest(operation, input);
      if ('ok' in request) continue; // a required parameter is missing, so that there is no URL
      const { body } = request;
      const target = base + request.path;
      const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...request.headers };
      const reproduce = curl(operation.method, target, headers, body);
      const add = (rule: AuditRule | (string & {}), message: string) =>
        void findings.push({ rule, subject: operation.name, message, reproduce });
      const answer = await send(
        guarded,
        target,
        { method: operation.method, headers: { ...headers, ...options.headers }, body },
        options.timeout,
      );
      responses++;
      if (typeof answer === 'string') add('call.answered', answer);
      else checkAnswer(answer, operation, document, add);
    }
  }
  const skipped = namesOf(operations.filter((operation) => !callable.includes(operation)));
  return { findings, checked: namesOf(callable), skipped, responses };
}

const namesOf = (list: readonly Operation[]) => list.map(({ name }) => name);

async function fetchJson(guarded: typeof fetch, url: URL, { headers, timeout }: AuditOptions): Promise<JsonSchema> {
  let response: Response;
  try {
    response = await guarded(url, {
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(timeout),
    });
  } catch (thrown) {
    throw new UnreachableError(`The OpenAPI document ${url.href} cannot be reached: ${reasonOf(thrown)}`);
  }
  const document: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isRecord(document) || !isRecord(document['paths'])) {
    throw new UnreachableError(`${url.href} is not an OpenAPI document in JSON (status ${response.status})`);
  }
  return document;
}

interface HttpResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Returns an error message if there is no response. */
async function send(guarded: typeof fetch, url: string, init: object, timeout: number): Promise<HttpResponse | string> {
  try {
    const response = await guarded(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) });
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  } catch (thrown) {
    return `no response: ${reasonOf(thrown)}`;
  }
}

type Add = (rule: AuditRule | (string & {}), message: string) => void;

function checkAnswer({ status, type, text }: HttpResponse, operation: Operation, root: JsonSchema, add: Add): void {
  const described = responseFor(operation, status, root);
  if (!described) return add('openapi.status', `status ${status} is not described`);
  const schema = schemaFor(described, type);
  if (!schema) return;
  const body = parse(text);
  if (body === undefined) return add('openapi.body', `status ${status}: not JSON: ${text.slice(0, 80)}`);
  const [problem] = problemsOf(body, schema, root);
  if (problem !== undefined) add('openapi.body', `status ${status}: ${problem}`);
  const profile = operation.isOurs
    ? (profileIn(type) ?? profileOf(body) ?? 'plain')
    : profileOf(body) === 'envelope'
      ? 'envelope'
      : undefined;
  for (const { rule, pointer, message } of profile ? checkResponse(body, { profile }) : []) {
    add(rule, `${pointer ? `${pointer}: ` : ''}${message}`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The response object for a status: exact, by class (4XX), or default. */
function responseFor({ path, method }: Operation, status: number, root: JsonSchema): JsonSchema | undefined {
  const item = (root['paths'] as Record<string, unknown>)[path];
  const operation = isRecord(item) ? item[method.toLowerCase()] : undefined;
  const responses = isRecord(operation) && isRecord(operation['responses']) ? operation['responses'] : {};
  const found = [String(status), `${Math.floor(status / 100)}XX`, 'default']
    .map((key) => responses[key])
    .find(isRecord);
  return found && resolve({ schema: found, root });
}

/** Normalises a media type for comparison; drops the charset. */
const normalized = (text: string) =>
  text
    .replaceAll(/\s|charset=[^;]*;?/gi, '')
    .replace(/;$/, '')
    .toLowerCase();

/** The schema for a media type with the same parameters, or else without parameters. */
function schemaFor({ content }: JsonSchema, type: string): JsonSchema | undefined {
  if (!isRecord(content)) return undefined;
  const [base] = normalized(type).split(';');
  const entries = Object.entries(content);
  const found =
    entries.find(([name]) => normalized(name) === normalized(type)) ??
    entries.find(([name]) => normalized(name) === base);
  return isRecord(found?.[1]) && isRecord(found[1]['schema']) ? found[1]['schema'] : undefined;
}

function problemsOf(body: unknown, schema: JsonSchema, root: JsonSchema): readonly string[] {
  const shelf = new Definitions('#/$defs/');
  const isOld = String(root['openapi']).startsWith('3.0');
  const read = isOld ? fromOpenApi30 : (written: JsonSchema) => written;
  const alone = { ...read(shelf.embedPart(schema, root, 'response')), ...read({ $defs: shelf.schemas }) };
  const problems = schemaCheck(alone)(body) ?? [];
  return problems.map(({ pointer, message }) => (pointer ? `${pointer}: ${message}` : message));
}

function profileIn(type: string): ProfileName | undefined {
  if (type.includes('problem+json')) return 'problem';
  return profileNames.find((name) => new RegExp(`profile="?${name}\\b`).test(type));
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curl(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): string {
  const named = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ['curl', '-X', method, quote(url), ...named, ...(body === undefined ? [] : ['-d', quote(body)])].join(' ');
}
