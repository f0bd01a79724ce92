import { codes, factsOf, statusLine } from '../../core/codes.ts';
import type { Code } from '../../core/codes.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { MAX_DEPTH } from '../../schema/bounds.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { toJson } from '../../schema/to-json.ts';
import { describeArguments } from './openapi-parameters.ts';

/** What operations share: schemas and profiles. */
export interface Draft {
  /** Embeds a copy of a schema. */
  readonly place: (schema: JsonSchema, name: string) => JsonSchema;
  /** Refers to a shared schema. */
  readonly refer: (schema: JsonSchema, name: string) => JsonSchema;
  /** The app's own profile; examples use it. */
  readonly profile: Profile;
  readonly others: readonly Profile[];
  readonly typeOf: (profile: Profile, ok: boolean) => string;
}

/** Failures that every function can have over HTTP, in addition to those that its author declares. */
const COMMON: readonly Code[] = [
  'BAD_REQUEST',
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

export const DEFAULT_TAG = 'functions';

/** A function as an OpenAPI operation. */
export function describeOperation(fn: RegisteredFunction, draft: Draft): object {
  const { definition } = fn;
  const { place, profile, others, typeOf } = draft;
  const examples = definition.examples ?? [];
  const withOutput = examples.filter(({ output }) => output !== undefined);
  const results = named(withOutput, ({ output }) => profile.render({ ok: true, data: asSent(output) }, fn));
  return {
    operationId: fn.operationId,
    summary: fn.title,
    description: fn.description,
    tags: definition.tags ?? [DEFAULT_TAG],
    ...describeArguments(fn, place, (schema, bodyOf) => ({
      required: (schema.required ?? []).length > 0,
      content: {
        'application/json': body(
          place(schema, `${fn.name}Arguments`),
          named(examples, ({ input }) => bodyOf(asSent(input))),
        ),
      },
    })),
    responses: {
      200: {
        description: describeSuccess(fn),
        content: {
          [typeOf(profile, true)]: body(place(profile.successSchema(fn.returned), `${fn.name}Result`), results),
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

/** An example as a wire would send it: dates as strings, and so on. */
function asSent(value: unknown): unknown {
  const sent = toJson(value, MAX_DEPTH);
  return sent.problem ? undefined : sent.value;
}

function describeSuccess({ returned }: RegisteredFunction): string {
  if (returned.kind === 'none') return 'Success. No value is returned.';
  const schemas = returned.kind === 'one' ? [returned.schema] : returned.schemas;
  return schemas.map(({ json: { description } }) => description).join('; ');
}

/** One response for each status, with every code that has it. */
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
  for (const [status, statusCodes] of byStatus) {
    const descriptions = statusCodes.map(
      (code) => `\`${code}\`: ${definition.errors?.[code]?.description ?? codes[code as Code].when}`,
    );
    responses[status] = {
      description: `${statusLine(status)}. ${descriptions.join(' ')}`,
      headers: {
        'Everywire-Error-Code': { description: 'The error code.', schema: { type: 'string', enum: statusCodes } },
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
