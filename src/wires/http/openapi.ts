import type { App } from '../../app/app.ts';
import { createNegotiation } from '../../responses/negotiate.ts';
import { createProfiles } from '../../responses/profiles/profiles.ts';
import { Definitions } from '../../schema/embed.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { toOpenApi30 } from './openapi-30.ts';
import { DEFAULT_TAG, describeOperation } from './openapi-operation.ts';
import type { Draft } from './openapi-operation.ts';
import { describePaths } from './openapi-parameters.ts';

export type OpenApiVersion = '3.1' | '3.0';

/** The document as a string: the same app gives the same bytes. */
export function openApiText(app: App, version: OpenApiVersion, server = '/'): string {
  return JSON.stringify(openApiDocument(app, version, server), null, 2);
}

/** The OpenAPI document of an app, 3.1.1 or 3.0.3. */
export function openApiDocument(app: App, version: OpenApiVersion, server = '/'): object {
  const old = version === '3.0';
  const shelf = new Definitions('#/components/schemas/');
  const convert = old ? toOpenApi30 : (schema: JsonSchema) => schema;
  const draft: Draft = {
    place: (schema, name) => shelf.embed(convert(schema), name),
    refer: (schema, name) => shelf.refer(convert(schema), name),
    ...profilesOf(app),
  };
  const paths = describePaths(app.functions, (fn) => describeOperation(fn, draft));
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
    // No authentication. An empty list says so explicitly.
    security: [],
    tags: tagsOf(app),
    paths,
    ...(Object.keys(schemas).length > 0 && { components: { schemas } }),
  };
}

function profilesOf(app: App): Pick<Draft, 'profile' | 'others' | 'typeOf'> {
  // A fixed clock, so that the same app gives the same bytes.
  const profiles = createProfiles(() => EXAMPLE_TIME);
  const profile = profiles[app.profile.name];
  const { typeOf } = createNegotiation(profiles, profile);
  return { profile, others: Object.values(profiles).filter((other) => other !== profile), typeOf };
}

const EXAMPLE_TIME = new Date('2026-01-01T12:00:00Z');

function tagsOf(app: App): object[] {
  const used = new Set(app.functions.flatMap(({ definition }) => definition.tags ?? [DEFAULT_TAG]));
  return [...used].map((name) => ({ name, description: app.tags[name] ?? `Functions of ${app.name}` }));
}

/** OpenAPI 3.0 has no field for an SPDX identifier. */
function licenseFor({ name, url, identifier }: NonNullable<App['license']>, old: boolean): object {
  if (url) return { name, url };
  if (!identifier) return { name };
  return old ? { name, url: `https://spdx.org/licenses/${identifier}.html` } : { name, identifier };
}
