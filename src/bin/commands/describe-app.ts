import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { ModuleError } from '../../load/module-error.ts';
import { refusalsOf } from '../../load/plain/refusals.ts';
import { padded, widest } from '../../responses/columns.ts';
import { descriptionOf } from '../../schema/description.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { suggest } from '../../schema/suggest.ts';
import { describeLimits } from '../../wires/cli/describe-limits.ts';
import { describeVariables } from '../options/environment.ts';
import { typeText } from './type-text.ts';

/** What an app serves: a table for each function, for people, or JSON Schemas. */
export function describeApp(app: App, name: string | undefined, isJson: boolean): string {
  const functions = name === undefined ? app.functions : [functionNamed(app, name)];
  if (isJson) {
    const refusals = name === undefined ? refusalsOf(app) : [];
    const { declared } = app.variables;
    const env = name === undefined && declared.size > 0 ? Object.fromEntries(declared) : undefined;
    const facts = { name: app.name, version: app.version, env, functions: functions.map(toJson), refusals };
    return JSON.stringify(facts, null, 2);
  }
  const variables = name === undefined ? describeVariables(app) : '';
  const texts = functions.map(toText).join('\n\n') || `${app.name} has no functions`;
  return variables ? `${texts}\n\n${variables}` : texts;
}

function functionNamed({ functions }: App, name: string): RegisteredFunction {
  const found = functions.find((fn) => [fn.name, fn.operationId, fn.alias, fn.command].includes(name));
  if (found) return found;
  const near = suggest(
    name,
    functions.map((fn) => fn.name),
  );
  const names = functions.slice(0, MAX_NAMES).map((fn) => fn.name);
  const hint =
    near === undefined
      ? `; there are ${names.join(', ')}${functions.length > MAX_NAMES ? ', …' : ''}`
      : `; did you mean ${near}?`;
  throw new ModuleError(`No function ${name}${functions.length === 0 ? '' : hint}`);
}

const MAX_NAMES = 10;

function toJson({ name, description, definition, inputSchema, returned, yields, task }: RegisteredFunction): object {
  const { hints, scopes, errors, examples } = definition;
  return {
    name,
    description,
    input: inputSchema,
    ...(returned.kind === 'one' && { output: returned.schema.json }),
    ...(returned.kind === 'several' && { outputs: returned.schemas.map(({ json }) => json) }),
    ...(yields && { yields: yields.json }),
    ...(errors && { errors }),
    ...(hints && { hints }),
    ...(Array.isArray(scopes) && { scopes }),
    ...(task !== 'never' && { task }),
    ...(examples && { examples }),
  };
}

type Row = readonly [name: string, type: string, description: string];

function toText({ name, description, definition, inputSchema, returned, yields, task }: RegisteredFunction): string {
  const { hints = {}, scopes, errors = {} } = definition;
  const results = returned.kind === 'none' ? [] : returned.kind === 'one' ? [returned.schema] : returned.schemas;
  const { properties = {}, required = [] } = inputSchema;
  const promises = Object.entries(hints).filter(([, isTrue]) => isTrue);
  const rows: Row[] = [
    ...Object.entries(properties).map(([field, schema]): Row => [
      required.includes(field) ? field : `${field}?`,
      ...described(schema, inputSchema),
    ]),
    ...(yields ? [['yields', ...described(yields.json, yields.json)] as const] : []),
    ...results.map(({ json }): Row => ['returns', ...described(json, json)]),
    ...Object.entries(errors).map(([code, error]): Row => ['fails', code, error.description]),
    ...(promises.length > 0 ? [['hints', promises.map(([hint]) => hint).join(', '), ''] as const] : []),
    ...(Array.isArray(scopes) ? [['scopes', scopes.join(' '), ''] as const] : []),
    ...(task === 'never' ? [] : [['task', task, ''] as const]),
  ];
  const widths = [0, 1].map((i) => widest(rows.map((row) => row[i]!)));
  const lines = rows.map((row) =>
    `  ${row.map((cell, i) => padded(oneLine(cell), widths[i] ?? 0)).join('  ')}`.trimEnd(),
  );
  return [`${name}${description === '' ? '' : `: ${oneLine(description)}`}`, ...lines].join('\n');
}

function described(schema: JsonSchema, root: JsonSchema): [type: string, description: string] {
  const notes = [
    ...describeLimits(schema),
    ...(schema.default === undefined ? [] : [`default: ${JSON.stringify(schema.default)}`]),
  ];
  const text = descriptionOf({ schema, root }) ?? '';
  return [typeText(schema, root), [text, notes.length > 0 && `(${notes.join(', ')})`].filter(Boolean).join(' ')];
}

/** Control characters could move the cursor. */
const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
