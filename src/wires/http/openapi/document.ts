import type { App } from '../../../app/app.ts';
import { createNegotiation } from '../../../responses/negotiate.ts';
import { createProfiles } from '../../../responses/profiles/profiles.ts';
import { mayBecomeTask } from '../../../core/task.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { toOpenApi30 } from './to-openapi-30.ts';
import { SharedFailures } from './failures.ts';
import { toPascalCase } from './names.ts';
import { describeOperation, tagsOf } from './operation.ts';
import type { Draft } from './operation.ts';
import { describePaths } from './parameters.ts';
import { SharedSchemas } from './schemas.ts';
import { shareParameters } from './share-parameters.ts';
import { describeSecurity } from './security.ts';
import { SharedResponses } from './shared-responses.ts';
import { SMALL } from './sharing.ts';
import { createTaskDescriptions } from './tasks.ts';

export type OpenApiVersion = '3.1' | '3.0';

/** Which profiles a document describes: the app's own, or all that a client can ask for. */
export type OpenApiProfiles = 'own' | 'all';

/** The document as a string: the same app gives the same bytes. */
export function openApiText(app: App, version: OpenApiVersion, server?: string, profiles?: OpenApiProfiles): string {
  return JSON.stringify(openApiDocument(app, version, server, profiles));
}

/** The OpenAPI document of an app, 3.1.1 or 3.0.3. */
export function openApiDocument(
  app: App,
  version: OpenApiVersion,
  server = '/',
  profiles: OpenApiProfiles = 'own',
): object {
  const old = version === '3.0';
  const schemas = new SharedSchemas(old ? toOpenApi30 : (schema: JsonSchema) => schema);
  const described = profilesOf(app, profiles === 'all');
  const security = describeSecurity(app, old);
  const shared = new SharedResponses();
  const failures = new SharedFailures(
    (isInline) => describeFailure(described, schemas, isInline),
    shared,
    (fn) => [
      ...security.refusalsOf(fn),
      ...(fn.definition.rate || app.rates.length > 0 ? (['RATE_LIMITED'] as const) : []),
      ...(mayBecomeTask(fn) ? (['BAD_REQUEST', 'IDEMPOTENCY_MISMATCH'] as const) : []),
    ],
  );
  const draft: Draft = { schemas, failures, ...described };
  const tasks = app.functions.some(mayBecomeTask) ? createTaskDescriptions(app, draft, shared, security) : undefined;
  const paths = {
    ...describePaths(app.functions, (fn) => ({ ...describeOperation(fn, draft, tasks), ...security.of(fn) })),
    ...tasks?.describePaths(),
  };
  const types = schemas.finish('#/components/schemas/');
  const parameters = shareParameters(paths);
  const components = {
    ...(Object.keys(types).length > 0 && { schemas: types }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...shared.components,
    ...(security.schemes && { securitySchemes: security.schemes }),
  };
  return {
    openapi: old ? '3.0.3' : '3.1.1',
    info: {
      title: app.name,
      version: app.version,
      description: app.description ?? `The functions of ${app.name}.`,
      ...(app.license && { license: licenseFor(app.license, old) }),
    },
    servers: [{ url: server }],
    security: security.byDefault,
    tags: describeTags(app, tasks?.tag),
    paths,
    ...(Object.keys(components).length > 0 && { components }),
  };
}

function profilesOf(app: App, isAll: boolean): Pick<Draft, 'profiles' | 'typeOf'> {
  // A fixed clock, so that the same app gives the same bytes.
  const profiles = createProfiles(() => EXAMPLE_TIME);
  const own = profiles[app.profile.name];
  const { typeOf } = createNegotiation(profiles, own);
  const others = isAll ? Object.values(profiles).filter((other) => other !== own) : [];
  return { profiles: [own, ...others], typeOf };
}

const EXAMPLE_TIME = new Date('2026-01-01T12:00:00Z');

/** The content of a failure. Written out only where that is wanted, and only the app's own profile, if it is small. */
function describeFailure(
  { profiles, typeOf }: Pick<Draft, 'profiles' | 'typeOf'>,
  schemas: SharedSchemas,
  isInline: boolean,
): object {
  const content = profiles.map((profile, i) => {
    const { name, failureSchema } = profile;
    const given = i === 0 ? 'Failure' : `${toPascalCase(name)}Failure`;
    const isSmall = i === 0 && JSON.stringify(failureSchema).length < SMALL;
    const place = { side: 'output', owner: '', name: given } as const;
    return [
      typeOf(profile, false),
      { schema: schemas.place(failureSchema, place, { given, isInline: isInline && isSmall }) },
    ];
  });
  return Object.fromEntries(content) as object;
}

function describeTags(app: App, taskTag: { readonly name: string } | undefined): object[] {
  const used = new Set(app.functions.flatMap(tagsOf));
  const tags = [...used].map((name) => ({ name, description: app.tags[name] ?? `Functions of ${app.name}` }));
  return taskTag && !used.has(taskTag.name) ? [...tags, taskTag] : tags;
}

/** OpenAPI 3.0 has no field for an SPDX identifier. */
function licenseFor({ name, url, identifier }: NonNullable<App['license']>, old: boolean): object {
  if (url) return { name, url };
  if (!identifier) return { name };
  return old ? { name, url: `https://spdx.org/licenses/${identifier}.html` } : { name, identifier };
}
