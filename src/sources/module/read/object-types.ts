import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Sym, Type } from '../compiler/program.ts';
import { SHAPE } from '../shape.ts';
import { checkMapped, isAnything, readAnything } from './anything.ts';
import { awaited } from './awaited.ts';
import { checkBases } from './bases.ts';
import { UNKNOWN } from './known-types.ts';
import { isError, readDerived } from './known-reader.ts';
import { readIndexes } from './index-signatures.ts';
import { isListLike, readListLike } from './list-like.ts';
import { propertiesInOrder } from './property-order.ts';
import { Refused } from './refused.ts';
import { withTags } from './schema-tags.ts';
import { isUnsendable } from './unsendable.ts';
import type { TypeReader } from './type-reader.ts';

/** Reads an interface, a class, a type literal or an intersection of those. */
export function readObject(reader: TypeReader, type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const { program, side } = reader;
  const derived = readDerived(reader, type, node);
  if (derived) return derived;
  checkBases(type, node, program);
  if (program.calls(type).length > 0 || program.constructors(type).length > 0) {
    throw new Refused(
      side === 'input'
        ? 'A caller cannot send a function; take data instead'
        : 'A function cannot be sent to a caller; return data instead',
      node,
    );
  }
  if (side === 'output') {
    const json = program.propertiesOf(type).find(({ name }) => name === 'toJSON');
    const [signature] = json ? program.calls(program.typeOf(json)) : [];
    if (signature) return { ...reader.readPresent(program.returnOf(signature), undefined, node), [SHAPE]: 'to-json' };
    if (awaited(type, program)) throw new Refused(`A${UNKNOWN['Promise']!.slice(1)}`, node);
    if (isError(reader, type)) throw new Refused(`A${UNKNOWN['Error']!.slice(1)}`, node);
  }
  if (isListLike(type, program)) return readListLike(reader, type, node);
  checkMapped(reader, type, node);
  if (isAnything(type, program)) return readAnything(reader, node);
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  const hidden: string[] = [];
  for (const property of propertiesInOrder(type, program)) {
    const schema = readProperty(reader, property, type, node);
    if (schema === 'hidden') hidden.push(property.name);
    if (schema === 'hidden' || schema === undefined) continue;
    properties.push([property.name, schema]);
    if (
      !program.isOptional(property) &&
      !reader.mayBeUndefined(program.typeOf(property)) &&
      schema.default === undefined
    )
      required.push(property.name);
  }
  const fields = { described: properties.map(([name]) => name), hidden };
  const indexes = readIndexes(reader, type, fields, hint, node);
  const isEmpty = properties.length === 0 && indexes === undefined;
  if (isEmpty && side === 'input') return { type: 'object' };
  const others = indexes ?? (side === 'output' ? { additionalProperties: false } : {});
  const hasFields = properties.length > 0 || hidden.length > 0 || indexes === undefined;
  const schema: JsonSchema = {
    type: 'object',
    ...(hasFields && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
    ...others,
  };
  const [declaration] = documented(reader, type);
  return declaration ? withTags(schema, { ...reader.hints.docs(declaration), tags: [] }) : schema;
}

/** For a field that must not be there. */
const NOTHING: JsonSchema = { not: {} };

/** Interfaces and classes have docs of their own; those of aliases come with the annotation. */
function documented({ program }: TypeReader, type: Type): readonly Node[] {
  const symbol = program.symbolOf(type);
  if (!symbol || !(program.has(symbol, 'Interface') || program.has(symbol, 'Class'))) return [];
  return program.declarations(symbol);
}

/** Undefined if the property is not data. Hidden if it is not for others. */
function readProperty(
  reader: TypeReader,
  property: Sym,
  owner: Type,
  node: Node | undefined,
): JsonSchema | 'hidden' | undefined {
  const { program, side } = reader;
  const { name } = property;
  // Symbols and #private fields are not in JSON.
  if (name.startsWith('__@') || (side === 'output' && isPrivateName(name))) return undefined;
  const [declaration] = program.declarations(property);
  const at = closest(declaration, node);
  if (isHidden(reader, property, declaration)) {
    if (side === 'output') return 'hidden';
    throw new Refused(
      `${reader.text(owner)} has private fields, which no caller can send; take an interface instead`,
      node,
    );
  }
  if (name === '__proto__') throw new Refused('A field must not be named "__proto__"; rename it', at);
  const type = program.typeOf(property);
  if (program.isA(type, 'Never') || program.isA(type, 'Undefined') || program.isA(type, 'Void')) {
    return side === 'input' ? NOTHING : 'hidden';
  }
  const isOptional = program.isOptional(property) || reader.mayBeUndefined(type);
  if (side === 'input' && isOptional && isUnsendable(reader, type)) return 'hidden';
  // What can only be set cannot be read.
  if (side === 'output' && program.has(property, 'SetAccessor') && !program.has(property, 'GetAccessor'))
    return 'hidden';
  const isFunction =
    program.has(property, 'Method') || reader.present(type).some((one) => program.calls(one).length > 0);
  if (isFunction && side === 'output') return undefined;
  if (isFunction) {
    throw new Refused(
      `The field ${JSON.stringify(name)} is a function, which no caller can send; take data instead`,
      at,
    );
  }
  const schema = reader.read(type, annotationOf(reader, declaration), at);
  return declaration ? withTags(schema, reader.hints.docs(declaration)) : schema;
}

function annotationOf({ program }: TypeReader, declaration: Node | undefined): Node | undefined {
  if (!declaration) return undefined;
  const kinds = ['PropertySignature', 'PropertyDeclaration', 'Parameter', 'GetAccessor'];
  return kinds.some((kind) => program.is(declaration, kind)) ? declaration.type : undefined;
}

const isPrivateName = (name: string) => name.startsWith('#') || name.startsWith('__#');

function isHidden({ program }: TypeReader, { name }: Sym, declaration: Node | undefined): boolean {
  if (isPrivateName(name)) return true;
  if (!declaration) return false;
  if (declaration.name && program.is(declaration.name, 'PrivateIdentifier')) return true;
  const hiding = ['PrivateKeyword', 'ProtectedKeyword'];
  return (declaration.modifiers ?? []).some((one) => hiding.some((kind) => program.is(one, kind)));
}

/** Authors cannot change other people's packages: there, a refusal points to where the type is used. */
function closest(declaration: Node | undefined, node: Node | undefined): Node | undefined {
  return !declaration || declaration.getSourceFile().fileName.includes('/node_modules/') ? node : declaration;
}
