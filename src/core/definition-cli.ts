import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { kindOf, leafParametersOf } from '../schema/leaf-parameters.ts';
import type { LeafParameter } from '../schema/leaf-parameters.ts';
import { suggest } from '../schema/suggest.ts';
import type { CliOptions, FunctionDefinition } from './function.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

const OPTIONS = { positional: true, short: true } satisfies Known<CliOptions>;

/** Letters that mean something else on every command. */
const RESERVED = new Set(['h']);

/** What is wrong with `cli`. */
export function problemsInCli({ cli }: FunctionDefinition, input: JsonSchema): string[] {
  if (cli === undefined) return [];
  if (!isRecord(cli)) return ['cli must be an object, such as { positional: ["id"] }'];
  const { positional = [], short = {} } = cli as CliOptions;
  const parameters = new Map(leafParametersOf(input).map((parameter) => [parameter.name, parameter]));
  return [
    ...unknownOptions(cli, OPTIONS, 'cli'),
    ...(Array.isArray(positional) ? problemsInPositional(positional, parameters) : ['cli: positional must be a list']),
    ...(isRecord(short) ? problemsInShort(short, parameters) : ['cli: short must be an object']),
  ];
}

type Parameters = ReadonlyMap<string, LeafParameter>;

function problemsInPositional(names: readonly string[], parameters: Parameters): string[] {
  const found = names.map((name) => parameters.get(name));
  return names.flatMap((name, i) => {
    const parameter = found[i];
    if (!parameter) return [unknownParameter('positional', name, parameters)];
    if (names.indexOf(name) < i) return [`cli: positional lists ${JSON.stringify(name)} twice`];
    if (kindOf(parameter.schema) === 'list' && i < names.length - 1)
      return [`cli: positional ${JSON.stringify(name)} is a list, which takes the rest; put it last`];
    if (parameter.required && found.slice(0, i).some((earlier) => earlier?.required === false))
      return [`cli: positional ${JSON.stringify(name)} is required, but follows an optional parameter`];
    return [];
  });
}

function problemsInShort(short: Readonly<Record<string, unknown>>, parameters: Parameters): string[] {
  const entries = Object.entries(short);
  return entries.flatMap(([name, letter], i) => {
    const place = `cli: short ${JSON.stringify(name)}`;
    if (!parameters.has(name)) return [unknownParameter('short', name, parameters)];
    // Digits would make negative numbers ambiguous.
    if (typeof letter !== 'string' || !/^[A-Za-z]$/.test(letter))
      return [`${place} must be one letter, not ${JSON.stringify(letter)}`];
    if (RESERVED.has(letter)) return [`${place}: -${letter} is taken by --help`];
    const same = entries.slice(0, i).find(([, other]) => other === letter);
    return same ? [`${place}: -${letter} is taken by ${JSON.stringify(same[0])}`] : [];
  });
}

function unknownParameter(option: string, name: unknown, parameters: Parameters): string {
  const meant = typeof name === 'string' ? suggest(name, parameters.keys()) : undefined;
  const hint = meant === undefined ? '' : ` (did you mean ${JSON.stringify(meant)}?)`;
  return `cli: ${option}: ${JSON.stringify(name)} is not a parameter of the input${hint}`;
}
