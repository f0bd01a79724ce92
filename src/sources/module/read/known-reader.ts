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
  return setOf(reader, item!, reader.hints.argument(hint, 0), node);
}

function setOf(reader: TypeReader, item: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const items = reader.readPresent(item, hint, node);
  // A caller may repeat items. Of objects, different ones may have the same form.
  const isUnique = reader.side === 'output' && PRIMITIVE.has(items.type as string) && !(FORM_KEYWORD in items);
  return { type: 'array', items, ...(isUnique && { uniqueItems: true }), [SHAPE]: 'set' };
}

/** A map with strings as keys is an object; any other is a list of pairs. */
function readMap(reader: TypeReader, type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const [key, value] = reader.program.typeArguments(type);
  return mapOf(reader, [key!, value!], [reader.hints.argument(hint, 0), reader.hints.argument(hint, 1)], node);
}

function mapOf(
  reader: TypeReader,
  [key, value]: readonly [Type, Type],
  [keyHint, valueHint]: readonly (Node | undefined)[],
  node: Node | undefined,
): JsonSchema {
  const values = reader.readPresent(value, valueHint, node);
  if (reader.program.isA(key, 'String')) return { type: 'object', additionalProperties: values, [SHAPE]: 'map' };
  const keys = reader.readPresent(key, keyHint, node);
  const pair: JsonSchema = { type: 'array', prefixItems: [keys, values], items: false, minItems: 2, maxItems: 2 };
  return { type: 'array', items: pair, [SHAPE]: 'entries' };
}

/** By which of its members a class is known, the more special one first. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  Map: ['get', 'has', 'forEach', 'size'],
  Set: ['has', 'forEach', 'size'],
  Date: ['getTime', 'toISOString'],
  Buffer: ['readUInt8', 'subarray'],
  Uint8Array: ['BYTES_PER_ELEMENT', 'subarray'],
  ArrayBuffer: ['byteLength', 'slice'],
  URL: ['href', 'searchParams'],
  File: ['lastModified', 'arrayBuffer'],
  Blob: ['arrayBuffer', 'slice', 'size'],
};

/**
 * Reads what has all of a known class and is called otherwise: `class Tags extends Set<string>`, `Date & Brand`,
 * `Readonly<URL>`. Undefined for all other types.
 */
export function readDerived(reader: TypeReader, type: Type, node: Node | undefined): JsonSchema | undefined {
  const { program, side } = reader;
  const properties = new Map(program.propertiesOf(type).map((one) => [one.name, one]));
  const isFrom = (property: Sym | undefined, name: string) => {
    if (!property || !isBuiltIn(property, program)) return false;
    const owners = program
      .declarations(property)
      .map(({ parent }) => parent?.name?.text?.replace(/^(?:Readonly|_)/, ''));
    return owners.includes(name);
  };
  const name = Object.keys(MARKS).find((one) => MARKS[one]!.every((mark) => isFrom(properties.get(mark), one)));
  if (name === undefined) return undefined;
  const own = [...properties.values()].filter((one) => !/^[_#]/.test(one.name) && !isBuiltIn(one, program));
  const method = own.find((one) => program.has(one, 'Method'));
  // The value that is sent becomes an object of the known class.
  if (side === 'input' && method)
    throw new Refused(`A ${name} that was sent has no method ${JSON.stringify(method.name)}; take a ${name}`, node);
  const lost = own.find((one) => !program.has(one, 'Method'));
  if (lost)
    throw new Refused(
      `A ${name} has no field ${JSON.stringify(lost.name)} in JSON; use an object with the ${name} and the field`,
      node,
    );
  if (name !== 'Map' && name !== 'Set') return KNOWN[name];
  // Of the instance: its base may have the type parameters of another class.
  const [each] = program.calls(program.typeOf(properties.get('forEach')!));
  const [callback] = program.parametersOf(each!).map((one) => program.typeOf(one));
  const [signature] = program.calls(callback!);
  const [value, key] = program.parametersOf(signature!).map((one) => program.typeOf(one));
  return name === 'Set' ? setOf(reader, value!, undefined, node) : mapOf(reader, [key!, value!], [], node);
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
