import type { App } from '../../app/app.ts';
import { codes, factsOf, statusLine } from '../../core/codes.ts';
import type { Code } from '../../core/codes.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { createNegotiation } from '../../responses/negotiate.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { createProfiles } from '../../responses/profiles/profiles.ts';
import { DEEPEST } from '../../schema/bounds.ts';
import { Shelf } from '../../schema/embed.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { toJson } from '../../schema/to-json.ts';
import { toOpenApi30 } from './openapi-30.ts';
import { ROUTES } from './routes.ts';
import type { Route } from './routes.ts';

export type OpenApiVersion = '3.1' | '3.0';

/** Failures that any function can answer with over HTTP, beside those its author declares. */
const COMMON: readonly Code[] = [
  'INVALID_JSON',
  'INVALID_ARGUMENTS',
  'PAYLOAD_TOO_LARGE',
  'NOT_ACCEPTABLE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'INVALID_OUTPUT',
  'UNAVAILABLE',
  'TIMEOUT',
];

const DEFAULT_TAG = 'functions';

/** The document as text: the same bytes for the same app. */
export function openApiText(app: App, version: OpenApiVersion, server = '/'): string {
  return JSON.stringify(openApiDocument(app, version, server), null, 2);
}

/** The OpenAPI document of an app, 3.1.1 or 3.0.3. */
export function openApiDocument(app: App, version: OpenApiVersion, server = '/'): object {
  const old = version === '3.0';
  const shelf = new Shelf('#/components/schemas/');
  const convert = old ? toOpenApi30 : (schema: JsonSchema) => schema;
  const draft: Draft = {
    place: (schema, name) => shelf.embed(convert(schema), name),
    refer: (schema, name) => shelf.refer(convert(schema), name),
    ...profilesOf(app),
  };
  const paths = Object.fromEntries(
    ROUTES.filter((route: Route) => route.perFunction).flatMap(({ path, methods }) =>
      app.functions.map((fn) => [
        path.replace('{name}', fn.name),
        Object.fromEntries(methods.map((method) => [method.toLowerCase(), operation(fn, draft)])),
      ]),
    ),
  );
  const { schemas } = shelf;
  return {
    openapi: old ? '3.0.3' : '3.1.1',
    info: {
      title: app.name,
      version: app.version,
      description: app.description ?? `The functions of ${app.name}.`,
      ...(app.license && { license: licenseFor(app.license, old) }),
    },
    servers: [{ url: server }],
    // Nothing here asks who the caller is; saying so tells it apart from having forgotten.
    security: [],
    tags: tagsOf(app),
    paths,
    ...(Object.keys(schemas).length > 0 && { components: { schemas } }),
  };
}

/** What the parts of a document are made with. */
interface Draft {
  /** A copy of a schema. */
  readonly place: (schema: JsonSchema, name: string) => JsonSchema;
  /** A reference to a schema that many use. */
  readonly refer: (schema: JsonSchema, name: string) => JsonSchema;
  /** The profile in force, which examples are shown in. */
  readonly profile: Profile;
  readonly others: readonly Profile[];
  readonly typeOf: (profile: Profile, ok: boolean) => string;
}

function profilesOf(app: App): Pick<Draft, 'profile' | 'others' | 'typeOf'> {
  // At a time that stands still: the same app gives the same bytes.
  const profiles = createProfiles(() => EXAMPLE_TIME);
  const profile = profiles[app.profile.name];
  const { typeOf } = createNegotiation(profiles, profile);
  return { profile, others: Object.values(profiles).filter((other) => other !== profile), typeOf };
}

const EXAMPLE_TIME = new Date('2026-01-01T12:00:00Z');

function operation(fn: RegisteredFunction, draft: Draft): object {
  const { definition } = fn;
  const { place, profile, others, typeOf } = draft;
  const examples = definition.examples ?? [];
  const answered = examples.filter(({ output }) => output !== undefined);
  const shown = named(answered, ({ output }) => profile.render({ ok: true, data: asSent(output) }, fn));
  return {
    operationId: fn.operationId,
    summary: fn.title,
    description: fn.description,
    tags: definition.tags ?? [DEFAULT_TAG],
    requestBody: {
      required: (fn.inputSchema.required ?? []).length > 0,
      content: {
        'application/json': body(
          place(fn.inputSchema, `${fn.name}Arguments`),
          named(examples, ({ input }) => asSent(input)),
        ),
      },
    },
    responses: {
      200: {
        description: describeSuccess(fn),
        content: {
          [typeOf(profile, true)]: body(place(profile.successSchema(fn.returned), `${fn.name}Result`), shown),
          ...Object.fromEntries(
            others.map((other) => [
              typeOf(other, true),
              body(place(other.successSchema(fn.returned), `${fn.name}Result`)),
            ]),
          ),
        },
      },
      ...failures(fn, draft),
    },
  };
}

/** An example's values as a wire would send them: dates as text, and so on. */
function asSent(value: unknown): unknown {
  const carried = toJson(value, DEEPEST);
  return carried.problem ? undefined : carried.value;
}

function describeSuccess({ returned }: RegisteredFunction): string {
  if (returned.kind === 'none') return 'Done; there is no value.';
  const schemas = returned.kind === 'one' ? [returned.schema] : returned.schemas;
  return schemas.map(({ json: { description } }) => description).join('; ');
}

/** One response a status, naming every code that has it. */
function failures({ definition }: RegisteredFunction, draft: Draft): Record<string, object> {
  const { place, refer, profile, others, typeOf } = draft;
  const content = {
    [typeOf(profile, false)]: body(place(profile.failureSchema, 'Failure')),
    ...Object.fromEntries(
      others.map((other) => [typeOf(other, false), body(refer(other.failureSchema, `Failure_${other.name}`))]),
    ),
  };
  const byStatus = new Map<number, string[]>();
  for (const code of new Set([...COMMON, ...Object.keys(definition.errors ?? {})])) {
    const { status } = factsOf(code, definition.errors);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, object> = {};
  for (const [status, found] of byStatus) {
    const said = found.map(
      (code) => `\`${code}\`: ${definition.errors?.[code]?.description ?? codes[code as Code].when}`,
    );
    responses[status] = {
      description: `${statusLine(status)}. ${said.join(' ')}`,
      headers: {
        'Everywire-Error-Code': { description: 'What went wrong.', schema: { type: 'string', enum: found } },
      },
      content,
    };
  }
  return responses;
}

function body(schema: JsonSchema, examples: Record<string, object> = {}): object {
  return { schema, ...(Object.keys(examples).length > 0 && { examples }) };
}

function named<T extends { readonly title?: string }>(
  examples: readonly T[],
  value: (example: T) => unknown,
): Record<string, object> {
  return Object.fromEntries(
    examples.map((example, i) => [
      `example${i + 1}`,
      { ...(example.title && { summary: example.title }), value: value(example) },
    ]),
  );
}

function tagsOf(app: App): object[] {
  const used = new Set(app.functions.flatMap(({ definition }) => definition.tags ?? [DEFAULT_TAG]));
  return [...used].map((name) => ({ name, description: app.tags[name] ?? `Functions of ${app.name}` }));
}

/** 3.0 knows no SPDX identifier. */
function licenseFor({ name, url, identifier }: NonNullable<App['license']>, old: boolean): object {
  if (url) return { name, url };
  if (!identifier) return { name };
  return old ? { name, url: `https://spdx.org/licenses/${identifier}.html` } : { name, identifier };
}
