import { accepts } from '../schema/accepts.ts';
import { SCHEMA_KEYWORDS, SCHEMA_MAP_KEYWORDS, mapSchemas } from '../schema/embed.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { mistakesIn } from '../schema/mistakes.ts';
import { descriptionOf } from '../schema/description.ts';
import { pointerTo } from '../schema/pointer.ts';
import { isNote, propertiesOf } from '../schema/schema-tree.ts';
import { undeclaredIn } from '../schema/secrets.ts';
import { readSchema } from '../schema/schema.ts';
import type { ReadSchema, Schema } from '../schema/schema.ts';
import type { FunctionDefinition } from './function.ts';
import type { Returned } from './input-output.ts';

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/** For parameters without the schema around them: `{ x: { type: 'number' } }`. */
function howToWrite(schema: JsonSchema): string {
  const isParameter = (key: string) => isRecord(schema[key]) && !KEYWORDS.has(key) && !isNote(key);
  const name = 'properties' in schema ? '' : Object.keys(schema).find(isParameter);
  if (name === undefined) return '';
  return `: write { type: 'object', properties: ${name === '' ? '…' : `{ ${name}: … }`} }`;
}

const KEYWORDS: ReadonlySet<string> = new Set([...SCHEMA_KEYWORDS, ...SCHEMA_MAP_KEYWORDS]);

/** Reads the input schema. If it is invalid, adds to `problems` and returns undefined. Lists missing descriptions. */
export function readInput(
  { input: schema = NO_ARGUMENTS }: FunctionDefinition,
  problems: string[],
  undescribed: string[],
): ReadSchema | undefined {
  const input = readChecked('input', schema, 'input', problems);
  if (!input) return undefined;
  if (input.json.type !== 'object') {
    const { type = 'any value' } = input.json;
    const write = type === 'any value' ? howToWrite(input.json) : '';
    problems.push(`input must be an object at the root, not ${JSON.stringify(type)}${write}`);
    return undefined;
  }
  if (!input.parse) problems.push(...problemsInDefaults(input.json, input.json));
  const { properties: own, required = [] } = input.json;
  const properties = propertiesOf({ schema: input.json, root: input.json });
  const declared = properties === 'open' ? Object.entries(own ?? {}) : [...properties];
  for (const [name, property] of declared) {
    if (name === '__proto__') problems.push('input: a parameter must not be named "__proto__"');
    // `{}` allows any value.
    const isDeclared = Object.keys(property).length > 0 || (own !== undefined && Object.hasOwn(own, name));
    const isUndeclared = required.includes(name) && !isDeclared;
    if (isUndeclared) problems.push(`input: ${JSON.stringify(name)} is required but not declared`);
    else if (descriptionOf({ schema: property, root: input.json }) === undefined)
      undescribed.push(`input: parameter "${name}" has no description`);
  }
  return input;
}

/** Defaults must match their schema, since they replace missing values. Schema libraries check their own. */
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

/** Reads the schemas of the results, in the same way. */
export function readReturned(
  { output, outputs }: FunctionDefinition,
  problems: string[],
  undescribed: string[],
): Returned | undefined {
  if (output && outputs) problems.push('has both output and outputs');
  if (outputs !== undefined && !Array.isArray(outputs)) {
    problems.push('outputs must be a list');
    return undefined;
  }
  if (outputs) {
    if (outputs.length < 2)
      problems.push('outputs needs at least two schemas; use output for one value, and neither for none');
    const schemas = outputs.map((schema, i) => readOutput(`outputs[${i}]`, schema, problems, undescribed));
    return schemas.includes(undefined) ? undefined : { kind: 'several', schemas: schemas as ReadSchema[] };
  }
  if (!output) return { kind: 'none' };
  const schema = readOutput('output', output, problems, undescribed);
  return schema && { kind: 'one', schema };
}

/** Reads the schema of what a generator yields; undefined if there is none, or if it is invalid. */
export function readYields(
  { yields }: FunctionDefinition,
  problems: string[],
  undescribed: string[],
): ReadSchema | undefined {
  return yields === undefined ? undefined : readOutput('yields', yields, problems, undescribed);
}

function readOutput(place: string, schema: Schema, problems: string[], undescribed: string[]): ReadSchema | undefined {
  const read = readChecked(place, schema, 'output', problems);
  const isUndescribed = read && descriptionOf({ schema: read.json, root: read.json }) === undefined;
  if (isUndescribed) undescribed.push(`${place} has no description`);
  // Results are sent without fields that are not described, so that such a result could never be sent.
  for (const name of read ? undeclaredIn(read.json) : [])
    problems.push(`${place}: ${JSON.stringify(name)} is required but not declared`);
  return read;
}

function readChecked(
  place: string,
  schema: Schema,
  side: 'input' | 'output',
  problems: string[],
): ReadSchema | undefined {
  const inner = schemaInside(schema);
  if (inner) {
    problems.push(`${place}: ${mixture(schema, inner)}`);
    return undefined;
  }
  try {
    const read = readSchema(schema, side);
    const mistakes = mistakesIn(read.json);
    for (const { pointer, message } of mistakes)
      problems.push(`${place}: invalid JSON Schema at #${pointer}: ${message}`);
    return mistakes.length > 0 ? undefined : read;
  } catch (error) {
    problems.push(`${place}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The schema of a library inside something that is none. */
interface InnerSchema {
  readonly vendor: string;
  readonly path: readonly string[];
}

/** Other frameworks accept an object of schemas, `{ x: z.string() }`. As JSON Schema it would describe nothing. */
function schemaInside(value: unknown, seen = new Set<unknown>()): InnerSchema | undefined {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject || typeof value === 'function') {
    const standard = (value as { '~standard'?: { vendor?: string } })['~standard'];
    if (standard) return seen.size === 0 ? undefined : { vendor: standard.vendor ?? 'a library', path: [] };
  }
  // A schema may contain itself.
  if (!isObject || seen.has(value)) return undefined;
  seen.add(value);
  for (const name in value) {
    const found = schemaInside((value as Record<string, unknown>)[name], seen);
    if (found) return { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

function mixture(schema: Schema, { vendor, path }: InnerSchema): string {
  const object = OBJECTS[vendor] ?? `an object schema of ${vendor}`;
  if (Array.isArray(schema)) return 'a list of schemas is not a schema itself';
  if (typeof (schema as JsonSchema).type !== 'string')
    return `an object whose fields are schemas is not a schema itself; wrap it in ${object}`;
  return `#${path.reduce(pointerTo, '')} is a schema of ${vendor}, which JSON Schema cannot contain; use ${object} for the whole`;
}

const OBJECTS: Readonly<Record<string, string>> = {
  zod: 'z.object({ … })',
  valibot: 'toStandardJsonSchema(v.object({ … }))',
  arktype: 'type({ … })',
};
