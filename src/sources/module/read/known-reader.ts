import { FORM_KEYWORD } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Sym, Type } from '../compiler/program.ts';
import { SHAPE } from '../shape.ts';
import { KNOWN, UNKNOWN, isBuiltIn } from './known-types.ts';
import { Refused } from './refused.ts';
import type { TypeReader } from './type-reader.ts';

/** Reads a class of the language or its runtime; undefined for all other types. */
export function readKnown(
  reader: TypeReader,
  type: Type,
  hint: Node | undefined,
  node: Node | undefined,
): JsonSchema | undefined {
  const { program } = reader;
  const symbol = program.symbolOf(type);
  if (!symbol || !isBuiltIn(symbol, program)) return undefined;
  const { name } = symbol;
  if (Object.hasOwn(KNOWN, name)) return KNOWN[name];
  if (Object.hasOwn(UNKNOWN, name)) throw new Refused(sentence(UNKNOWN[name]!), node);
  if (name === 'Set' || name === 'ReadonlySet') return readSet(reader, type, hint, node);
  if (name === 'Map' || name === 'ReadonlyMap') return readMap(reader, type, hint, node);
  if (isError(reader, type)) throw new Refused(sentence(UNKNOWN['Error']!), node);
  if (hasMethods(reader, type, symbol)) throw new Refused(`${name} has no form in JSON; use a plain object`, node);
  return undefined;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const PRIMITIVE = new Set(['string', 'number', 'integer', 'boolean']);

function readSet(reader: TypeReader, type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const [item] = reader.program.typeArguments(type);
  const items = reader.readPresent(item!, reader.hints.argument(hint, 0), node);
  // A caller may repeat items. Of objects, different ones may have the same form.
  const isUnique = reader.side === 'output' && PRIMITIVE.has(items.type as string) && !(FORM_KEYWORD in items);
  return { type: 'array', items, ...(isUnique && { uniqueItems: true }), [SHAPE]: 'set' };
}

/** A map with strings as keys is an object; any other is a list of pairs. */
function readMap(reader: TypeReader, type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const [key, value] = reader.program.typeArguments(type);
  const values = reader.readPresent(value!, reader.hints.argument(hint, 1), node);
  if (reader.program.isA(key!, 'String')) return { type: 'object', additionalProperties: values, [SHAPE]: 'map' };
  const keys = reader.readPresent(key!, reader.hints.argument(hint, 0), node);
  const pair: JsonSchema = { type: 'array', prefixItems: [keys, values], items: false, minItems: 2, maxItems: 2 };
  return { type: 'array', items: pair, [SHAPE]: 'entries' };
}

function hasMethods({ program }: TypeReader, type: Type, symbol: Sym): boolean {
  if (program.has(symbol, 'TypeLiteral')) return false;
  return program.propertiesOf(type).some((property) => program.has(property, 'Method'));
}

/** A class that extends Error. Its stack would tell callers about the server. */
export function isError({ program }: TypeReader, type: Type): boolean {
  const stack = program.propertiesOf(type).find(({ name }) => name === 'stack');
  return stack !== undefined && isBuiltIn(stack, program);
}
