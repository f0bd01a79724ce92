import { accepts } from '../schema/accepts.ts';
import { mapSchemas } from '../schema/embed.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mistakesIn } from '../schema/mistakes.ts';
import { hasForms } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import { propertiesOf, resolve } from '../schema/schema-tree.ts';
import { readSchema } from '../schema/schema.ts';
import type { ReadSchema, Schema } from '../schema/schema.ts';
import { compileArguments } from './arguments.ts';
import type { Admit } from './arguments.ts';
import type { DeclaredErrors } from './codes.ts';
import type { Log } from './context.ts';
import { isCode, messageOf } from './failure.ts';
import { quietly } from './safely.ts';
import type { Example, FunctionDefinition } from './function.ts';
import type { Limits } from './limits.ts';
import { namesOf, problemsInNames } from './names.ts';
import type { NamePolicy, Names } from './names.ts';
import { stackOf } from './report.ts';
import { compileReturned, compileResults } from './results.ts';
import type { Results, Returned } from './results.ts';

/** What a caller reaches: a function, a resource that is read, a prompt; the list of resources, suggestions, changes. */
export type Kind = 'function' | 'resource' | 'prompt' | 'list' | 'completion' | 'subscription';

const KINDS = { functions: 'function', resources: 'resource', prompts: 'prompt' } as const;

/** A function as an app serves it: named, read, and compiled. */
export interface RegisteredFunction extends Names, Results {
  readonly kind: Kind;
  readonly title: string;
  readonly description: string;
  readonly definition: FunctionDefinition;
  readonly inputSchema: JsonSchema;
  readonly returned: Returned;
  /** The schema library's own pass over arguments; the author's refinements run in it. */
  readonly parse: ReadSchema['parse'];
  readonly admit: Admit;
  /** Whether its arguments have dates, BigInt or bytes, which a caller in this process gives as they are. */
  readonly takesForms: boolean;
  /** Brings an answer's dates, BigInt and bytes back, for callers and code in this process; undefined without any. */
  readonly revive: Revive | undefined;
  /** The author's words for an answer, where there are any; undefined when none are to be had. */
  readonly inWords: ((data: unknown) => string | undefined) | undefined;
  /** Milliseconds a call may take; 0 for no limit. */
  readonly timeout: number;
}

export interface Registry {
  /** In the order the author gave them. */
  readonly functions: readonly RegisteredFunction[];
  /** By name, operationId, or its name under the other policy. */
  find(name: string): RegisteredFunction | undefined;
}

export interface RegistryOptions {
  readonly names: NamePolicy;
  readonly strict: boolean;
  readonly coerce: boolean;
  readonly limits: Limits;
  /** One that never throws. */
  readonly log: Log;
}

/** Registers every function, or reports everything that is wrong with any of them. */
export function createRegistry(
  definitions: readonly FunctionDefinition[],
  options: RegistryOptions,
  problems: string[],
  what: keyof typeof KINDS = 'functions',
): Registry {
  const functions: RegisteredFunction[] = [];
  const byName = new Map<string, RegisteredFunction>();
  const places = new Map<string, string>();

  for (const [index, definition] of definitions.entries()) {
    const place = `${what}[${index}]${definition?.name ? ` "${definition.name}"` : ''}`;
    const found = readDefinition(definition, options, KINDS[what]);
    problems.push(...found.problems.map((problem) => `${place}: ${problem}`));
    if (!found.names) continue;
    const first = allNames(found.names).find((name) => places.has(name));
    if (first) problems.push(`${place}: shares the ${first} with ${places.get(first)}`);
    for (const name of allNames(found.names)) places.set(name, places.get(name) ?? place);
    if (!found.registered) continue;
    functions.push(found.registered);
    for (const name of callable(found.names)) byName.set(name, found.registered);
  }
  return { functions, find: (name) => byName.get(name) };
}

const callable = ({ name, operationId, alias }: Names): Set<string> => new Set([name, operationId, alias]);

/** Names by which two functions could be mistaken for each other. Commands are a space of their own. */
function allNames(names: Names): string[] {
  return [...[...callable(names)].map((name) => `name "${name}"`), `command "${names.command}"`];
}

interface Found {
  readonly problems: readonly string[];
  readonly names?: Names;
  readonly registered?: RegisteredFunction;
}

function readDefinition(definition: FunctionDefinition, options: RegistryOptions, kind: Kind): Found {
  if (typeof definition?.name !== 'string') return { problems: ['has no name'] };
  if (definition.operationId !== undefined && typeof definition.operationId !== 'string') {
    return { problems: ['operationId must be a text'] };
  }
  const names = namesOf(definition.name, definition.operationId, options.names);
  const problems = problemsInNames(names, options.names);
  if (!isText(definition.description)) problems.push('has no description');
  if (typeof definition.run !== 'function') problems.push('has no run function');

  if (definition.describe !== undefined && typeof definition.describe !== 'function') {
    problems.push('describe must be a function');
  }
  problems.push(...problemsInErrors(definition.errors ?? {}), ...problemsInTimeout(definition.timeout));

  const input = readInput(definition.input ?? NO_ARGUMENTS, problems);
  const returned = readReturned(definition, problems);
  if (problems.length > 0 || !input || !returned) return { problems, names };

  const admit = compileArguments(input, {
    strict: definition.strict ?? options.strict,
    coerce: definition.coerce ?? options.coerce,
    bounds: options.limits,
  });
  const revive = compileReturned(returned);
  const registered: RegisteredFunction = {
    kind,
    ...names,
    ...compileResults(returned, options.limits.depth),
    title: definition.title ?? definition.name,
    description: definition.description,
    definition,
    inputSchema: input.json,
    returned,
    parse: input.parse,
    admit,
    takesForms: hasForms(input.json),
    revive,
    inWords: inWords(definition.describe, revive, (thrown) =>
      options.log.error(messageOf(thrown), {
        operationId: names.operationId,
        part: 'describe',
        stack: stackOf(thrown),
      }),
    ),
    timeout: definition.timeout ?? options.limits.timeout,
  };
  return { problems: problemsInExamples(registered), names, registered };
}

/** The author's code once more: whatever it does, there is a text without it. */
function inWords(
  describe: FunctionDefinition['describe'],
  revive: Revive | undefined,
  onFailure: (thrown: unknown) => void,
): RegisteredFunction['inWords'] {
  if (!describe) return undefined;
  return (data) => {
    const text: unknown = quietly(() => describe(revive ? revive(data) : data), onFailure);
    return isText(text) ? (text as string).toWellFormed() : undefined;
  };
}

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

function readInput(schema: Schema, problems: string[]): ReadSchema | undefined {
  const input = readChecked('input', schema, 'input', problems);
  if (!input) return undefined;
  if (input.json.type !== 'object') {
    problems.push(`input must be an object at the root, not ${JSON.stringify(input.json.type ?? 'any value')}`);
    return undefined;
  }
  if (!input.parse) problems.push(...problemsInDefaults(input.json, input.json));
  const { properties: own, required = [] } = input.json;
  const properties = propertiesOf({ schema: input.json, root: input.json });
  const declared = properties === 'open' ? Object.entries(own ?? {}) : [...properties];
  for (const [name, property] of declared) {
    if (name === '__proto__') problems.push('input: no parameter can be called "__proto__"');
    const isOnlyDemanded = required.includes(name) && Object.keys(property).length === 0;
    if (isOnlyDemanded) problems.push(`input: ${JSON.stringify(name)} is required, and not declared`);
    else if (!isDescribed(property, input.json)) problems.push(`input: parameter "${name}" has no description`);
  }
  return input;
}

/** By itself, or where a schema with a name of its own is described: such a one is only referred to. */
function isDescribed(schema: JsonSchema, root: JsonSchema): boolean {
  return isText(schema.description) || isText(resolve({ schema, root }).description);
}

/** A default is filled in where a value is missing, so it must be one. Libraries look after their own. */
function problemsInDefaults(schema: JsonSchema, root: JsonSchema): string[] {
  const found: string[] = [];
  mapSchemas(schema, (inner) => {
    if (inner.default !== undefined && !accepts(inner.default, inner, root)) {
      found.push(`input: the default ${JSON.stringify(inner.default)} breaks its own schema`);
    }
    found.push(...problemsInDefaults(inner, root));
    return inner;
  });
  return found;
}

function readReturned({ output, outputs }: FunctionDefinition, problems: string[]): Returned | undefined {
  if (output && outputs) problems.push('has both output and outputs');
  if (outputs !== undefined && !Array.isArray(outputs)) {
    problems.push('outputs must be a list');
    return undefined;
  }
  if (outputs) {
    if (outputs.length < 2) problems.push('outputs is for two values or more; use output for one, neither for none');
    const schemas = outputs.map((schema, i) => readOutput(`outputs[${i}]`, schema, problems));
    return schemas.includes(undefined) ? undefined : { kind: 'several', schemas: schemas as ReadSchema[] };
  }
  if (!output) return { kind: 'none' };
  const schema = readOutput('output', output, problems);
  return schema && { kind: 'one', schema };
}

function readOutput(place: string, schema: Schema, problems: string[]): ReadSchema | undefined {
  const read = readChecked(place, schema, 'output', problems);
  if (read && !isText(read.json.description)) problems.push(`${place} has no description`);
  return read;
}

function readChecked(
  place: string,
  schema: Schema,
  side: 'input' | 'output',
  problems: string[],
): ReadSchema | undefined {
  try {
    const read = readSchema(schema, side);
    const wrong = mistakesIn(read.json);
    for (const { pointer, message } of wrong) problems.push(`${place}: bad JSON Schema at #${pointer}: ${message}`);
    return wrong.length > 0 ? undefined : read;
  } catch (error) {
    problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function problemsInTimeout(timeout: number | undefined): string[] {
  const right = timeout === undefined || (Number.isInteger(timeout) && timeout >= 0);
  return right ? [] : [`timeout must be a whole number of milliseconds, 0 or more, not ${timeout}`];
}

function problemsInErrors(errors: DeclaredErrors): string[] {
  return Object.entries(errors).flatMap(([code, declared]) => {
    const { description, status = 422 } = declared ?? {};
    return [
      ...(isCode(code) ? [] : [`errors: a code is made of letters, digits and "_", unlike "${code}"`]),
      ...(isText(description) ? [] : [`errors: "${code}" has no description`]),
      ...(Number.isInteger(status) && status >= 400 && status <= 599
        ? []
        : [`errors: "${code}" has status ${status}, not one from 400 to 599`]),
    ];
  });
}

function problemsInExamples({ definition, admit, confirm }: RegisteredFunction): string[] {
  const { examples = [] } = definition;
  if (!Array.isArray(examples) || examples.some((example) => typeof example !== 'object' || example === null)) {
    return ['examples must be a list of objects'];
  }
  return (examples as readonly Example[]).flatMap(({ input, output }, i) => {
    const inInput = admit(input).problems ?? [];
    const inOutput = (output === undefined ? undefined : confirm(output).problems) ?? [];
    return [
      ...inInput.map(({ pointer, message }) => `examples[${i}].input${pointer}: ${message}`),
      ...inOutput.map(({ pointer, message }) => `examples[${i}].output${pointer}: ${message}`),
    ];
  });
}
