import type { App } from '../app/app.ts';
import type { Scopes } from '../core/access.ts';
import type { HttpFacts } from '../core/definition-http.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** What callers can rely on, as plain JSON: two of them can be compared, whichever processes they are from. */
export interface Contract {
  readonly functions: readonly FunctionContract[];
  /** What clients see of them in a list. */
  readonly prompts: readonly PromptContract[];
  readonly resources: readonly ResourceContract[];
}

export interface PromptContract {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly input: JsonSchema;
}

export interface ResourceContract {
  readonly name: string;
  readonly uri: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}

export interface FunctionContract {
  readonly name: string;
  readonly operationId: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** One for each value that it returns. */
  readonly results: readonly JsonSchema[];
  /** What a generator yields. */
  readonly chunk?: JsonSchema | undefined;
  /** The codes that it declares. */
  readonly errors: readonly string[];
  readonly hints: object;
  readonly task: string;
  readonly http: HttpFacts;
  /** What a caller needs. */
  readonly scopes: ScopesContract;
  /** Whether unknown arguments are refused, and whether texts are converted. */
  readonly strict?: boolean;
  readonly coerce?: boolean;
}

/** `by arguments`: a function of the author says it for each call. */
export type ScopesContract = Scopes | 'by arguments';

export function contractOf({ functions, prompts, resources, access }: App): Contract {
  return {
    functions: functions.map((fn) => contractOfFunction(fn, access)),
    prompts: prompts.list.map(({ definition: { name, title, description }, inputSchema }) => ({
      name,
      title,
      description,
      input: inputSchema,
    })),
    resources: resources.list.map(({ definition: { name, uri, title, description, mimeType } }) => ({
      name,
      uri,
      title,
      description,
      mimeType,
    })),
  };
}

function contractOfFunction(fn: RegisteredFunction, access: App['access']): FunctionContract {
  const { name, operationId, title, description, inputSchema, yields, definition, task, http } = fn;
  return {
    name,
    operationId,
    title,
    description,
    input: inputSchema,
    results: resultsOf(fn),
    chunk: yields?.json,
    errors: Object.keys(definition.errors ?? {}),
    hints: definition.hints ?? {},
    task,
    http,
    scopes: scopesOf(fn, access),
    strict: fn.strict,
    coerce: fn.coerce,
  };
}

/** Without rules, everybody may call everything. */
function scopesOf(fn: RegisteredFunction, access: App['access']): ScopesContract {
  if (!access) return 'public';
  return typeof fn.definition.scopes === 'function' ? 'by arguments' : access.scopesOf(fn);
}

function resultsOf({ returned }: RegisteredFunction): readonly JsonSchema[] {
  if (returned.kind === 'none') return [];
  return returned.kind === 'one' ? [returned.schema.json] : returned.schemas.map(({ json }) => json);
}
