import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { mayBecomeTask } from '../../../core/task.ts';
import type { Profile } from '../../../responses/profiles/profile.ts';
import { MAX_DEPTH } from '../../../schema/bounds.ts';
import { descriptionOf } from '../../../schema/description.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { toJson } from '../../../schema/to-json.ts';
import type { SharedFailures } from './failures.ts';
import { BINARY, toFormSchema } from './files.ts';
import { toPascalCase } from './names.ts';
import { describeArguments } from './parameters.ts';
import type { SharedSchemas } from './schemas.ts';
import type { TaskDescriptions } from './tasks.ts';
import { ALSO_STREAMED, describeStream } from './stream.ts';

/** The name under which clients call a function, where the operationId does not contain it. */
const FUNCTION = 'x-everywire-function';

/** What operations share. */
export interface Draft {
  readonly schemas: SharedSchemas;
  readonly failures: SharedFailures;
  /** The profiles that are described. The first is the app's own; examples use it. */
  readonly profiles: readonly [own: Profile, ...others: Profile[]];
  readonly typeOf: (profile: Profile, ok: boolean) => string;
}

/** A function without tags is listed under its group. */
export function tagsOf({ definition, group = 'functions' }: RegisteredFunction): readonly string[] {
  return definition.tags ?? [group];
}

/** A function as an OpenAPI operation. */
export function describeOperation(fn: RegisteredFunction, draft: Draft, tasks?: TaskDescriptions): object {
  const deferred = mayBecomeTask(fn) ? tasks?.describeDeferral(fn) : undefined;
  return {
    operationId: fn.operationId,
    summary: fn.title,
    description: fn.description,
    tags: tagsOf(fn),
    ...(fn.definition.operationId !== undefined && { [FUNCTION]: fn.name }),
    ...(fn.definition.deprecated && { deprecated: true }),
    ...withParameters(describeInput(fn, draft), deferred?.parameters),
    responses: {
      ...(fn.task !== 'always' && { [fn.http.status ?? 200]: describeSuccess(fn, draft) }),
      ...(deferred && { 202: deferred.accepted }),
      ...draft.failures.describe(fn),
    },
  };
}

function withParameters(
  { parameters = [], ...rest }: ReturnType<typeof describeArguments>,
  more: readonly object[] = [],
): object {
  const all = [...parameters, ...more];
  return { ...(all.length > 0 && { parameters: all }), ...rest };
}

function describeInput(fn: RegisteredFunction, { schemas }: Draft): ReturnType<typeof describeArguments> {
  const owner = toPascalCase(fn.name);
  const place = (schema: JsonSchema, name: string) =>
    schemas.place(schema, { side: 'input', owner, name: owner + toPascalCase(name), isOwned: true });
  return describeArguments(fn, place, (schema, bodyOf) => ({
    required: (schema.required ?? []).length > 0,
    content: {
      'application/json': mediaType(
        place(schema, 'Arguments'),
        named(fn.definition.examples ?? [], ({ input }) => bodyOf(asSent(input))),
      ),
      ...(fn.takesFiles && { 'multipart/form-data': { schema: place(toFormSchema(schema), 'Form') } }),
    },
  }));
}

function describeSuccess(fn: RegisteredFunction, { schemas, profiles, typeOf }: Draft): object {
  const headers = fn.http.headers && { headers: describeHeaders(fn.http.headers) };
  if (fn.http.status === 204) return { description: describeReturned(fn), ...headers };
  const owner = toPascalCase(fn.name);
  const examples = (fn.definition.examples ?? []).filter(({ output }) => output !== undefined);
  const content = profiles.map((profile, i) => {
    const place = { side: 'output', owner, name: `${owner}Result`, isOwned: true, isBody: true } as const;
    const schema = schemas.place(profile.successSchema(fn.returned), place, { isInline: true });
    const rendered = named(i === 0 ? examples : [], ({ output }) =>
      profile.render({ ok: true, data: asSent(output) }, fn),
    );
    return [typeOf(profile, true), mediaType(schema, rendered)] as const;
  });
  // Last: tools that know only one media type take the first.
  const raw = fn.returnsFile && {
    'application/octet-stream': { schema: schemas.place(BINARY, RAW, { isInline: true }) },
  };
  const streamed = describeStream(fn, schemas, profiles.length > 1);
  return {
    description: describeReturned(fn),
    ...headers,
    content: { ...Object.fromEntries(content), ...streamed.content, ...raw },
    ...streamed.extension,
  };
}

/** Not required: a function may leave one out. */
function describeHeaders(headers: NonNullable<RegisteredFunction['http']['headers']>): object {
  const entries = Object.values(headers).map(({ name, description }) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return Object.fromEntries(entries) as object;
}

const RAW = { side: 'output', owner: '', name: 'File' } as const;

export function describeReturned({ returned, yields }: RegisteredFunction): string {
  const streamed = yields ? `. ${ALSO_STREAMED}` : '';
  if (returned.kind === 'none') return `Success. No value is returned${streamed || '.'}`;
  const schemas = returned.kind === 'one' ? [returned.schema] : returned.schemas;
  return schemas.map(({ json }) => descriptionOf({ schema: json, root: json }) ?? 'The result').join('; ') + streamed;
}

/** An example as a wire would send it: dates as strings, and so on. */
function asSent(value: unknown): unknown {
  const sent = toJson(value, MAX_DEPTH);
  return sent.problem ? undefined : sent.value;
}

function mediaType(schema: JsonSchema, examples: Record<string, object>): object {
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
