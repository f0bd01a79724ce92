import type { App } from '../app/app.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** What callers can rely on, as plain JSON: two of them can be compared, whichever processes they are from. */
export interface Contract {
  readonly functions: readonly FunctionContract[];
  /** What clients see of them in a list. */
  readonly prompts: readonly object[];
  readonly resources: readonly object[];
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
  readonly http: object;
}

export function contractOf({ functions, prompts, resources }: App): Contract {
  return {
    functions: functions.map(contractOfFunction),
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

function contractOfFunction(fn: RegisteredFunction): FunctionContract {
  const { name, operationId, title, description, inputSchema, yields, definition, task } = fn;
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
    http: definition.http ?? {},
  };
}

function resultsOf({ returned }: RegisteredFunction): readonly JsonSchema[] {
  if (returned.kind === 'none') return [];
  return returned.kind === 'one' ? [returned.schema.json] : returned.schemas.map(({ json }) => json);
}
