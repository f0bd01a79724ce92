import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Type } from '../compiler/program.ts';
import { isPrimitive } from './primitives.ts';
import { Refused } from './refused.ts';
import { readMapping, readTemplate } from './templates.ts';
import type { TypeReader } from './type-reader.ts';

const NUMERIC = String.raw`^-?\d+(?:\.\d+)?$`;

/** The fields of a type that have names. */
interface NamedFields {
  readonly described: readonly string[];
  /** Those that are not for others, whatever a signature says about the rest. */
  readonly hidden: readonly string[];
}

/** What a type says about fields that it does not name; undefined if it says nothing. */
export function readIndexes(
  reader: TypeReader,
  type: Type,
  { described, hidden }: NamedFields,
  hint: Node | undefined,
  node: Node | undefined,
): JsonSchema | undefined {
  const { program } = reader;
  const patterns: [string, JsonSchema | false][] = [];
  let others: JsonSchema | false | undefined;
  for (const { key, value } of program.indexesOf(type)) {
    if (program.isA(key, 'ESSymbol')) continue;
    const pattern = patternOf(reader, key, node);
    // No value is of this type, so that there is no such field.
    const isNever = program.isA(value, 'Never');
    const schema = isNever ? false : reader.readPresent(value, annotation(reader, type, key, hint), node);
    if (pattern === undefined) others = schema;
    else patterns.push([without([...described, ...hidden], pattern), schema]);
  }
  if (others === undefined && patterns.length === 0) return undefined;
  if (others && hidden.length > 0) patterns.push([`^(?:${hidden.map(escape).join('|')})$`, false]);
  return {
    ...(patterns.length > 0 && { patternProperties: Object.fromEntries(patterns) }),
    additionalProperties: others ?? false,
  };
}

/** Undefined if every name fits. */
function patternOf({ program }: TypeReader, key: Type, node: Node | undefined): string | undefined {
  const isBranded = program.isA(key, 'Intersection');
  const plain = isBranded ? program.membersOf(key).find((member) => isPrimitive(member, program)) : key;
  if (plain && program.isA(plain, 'String')) return undefined;
  if (plain && program.isA(plain, 'Number')) return NUMERIC;
  if (plain && program.isA(plain, 'TemplateLiteral')) return readTemplate(plain, program, node)['pattern'] as string;
  if (plain && program.isA(plain, 'StringMapping')) return readMapping(plain, program, node)['pattern'] as string;
  throw new Refused(`${program.text(key)} cannot be the name of a field; use string`, node);
}

/** A pattern that leaves out names: what is said about them is said elsewhere. */
function without(names: readonly string[], pattern: string): string {
  const expression = new RegExp(pattern, 'u');
  const found = names.filter((name) => expression.test(name));
  return found.length === 0 ? pattern : `^(?!(?:${found.map(escape).join('|')})$)${pattern.slice(1)}`;
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** The annotation of the values: of `Record<string, int>` and `{ [name: string]: int }`, `int`. */
function annotation(reader: TypeReader, type: Type, key: Type, hint: Node | undefined): Node | undefined {
  const { program } = reader;
  const symbol = program.symbolOf(type);
  for (const declaration of symbol ? program.declarations(symbol) : []) {
    const indexes = (declaration.members ?? []).filter((member) => program.is(member, 'IndexSignature'));
    const index = indexes.length === 1 ? indexes[0] : indexes.find((one) => keyOf(one)?.id === key.id);
    if (index) return index.type;
  }
  const named = [hint, ...reader.hints.aliases(hint).map((alias) => alias.type)].map((one) => reader.hints.bare(one));
  return named.find((one) => one?.typeName?.text === 'Record')?.typeArguments?.[1];

  function keyOf(index: Node): Type | undefined {
    const parameter = index.parameters?.[0]?.type;
    return parameter && program.typeAt(parameter);
  }
}
