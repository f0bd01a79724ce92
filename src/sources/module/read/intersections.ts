import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Program, Type } from '../compiler/program.ts';
import { readObject } from './object-types.ts';
import { isOpen, isPrimitive } from './primitives.ts';
import { INTEGER } from './schema-tags.ts';
import type { TypeReader } from './type-reader.ts';

/** The property that carries keywords through the type system: `number & { 'json-schema'?: { type: 'integer' } }`. */
const CARRIER = 'json-schema';

/** An intersection: a primitive with a brand, or an object. Type parameters in it stand for their constraints. */
export function readIntersection(reader: TypeReader, type: Type, node: Node | undefined): JsonSchema {
  const { program } = reader;
  const members = program.membersOf(type);
  if (members.some((member) => isOpen(member, program))) return readOpen(reader, type, node);
  const primitive = members.find((member) => isPrimitive(member, program));
  if (!primitive) return readObject(reader, type, undefined, node);
  const carried = members.flatMap((member) => keywordsOf(member, program));
  const schema = reader.read(primitive, undefined, node);
  if (carried.length === 0) return schema;
  const keywords = Object.fromEntries(carried);
  const isInteger = keywords['type'] === 'integer' && schema.type === 'number';
  return { ...(isInteger ? INTEGER : schema), ...keywords };
}

function readOpen(reader: TypeReader, type: Type, node: Node | undefined): JsonSchema {
  const { program } = reader;
  for (const member of program.membersOf(type)) if (isOpen(member, program)) reader.constraint(member, node);
  return reader.read(reader.constraint(type, node), undefined, node);
}

/** Literal types only. */
function keywordsOf(member: Type, program: Program): [string, unknown][] {
  const carrier = program.isA(member, 'Object') && program.propertiesOf(member).find(({ name }) => name === CARRIER);
  if (!carrier) return [];
  return objectsIn(program.typeOf(carrier), program).flatMap((object) =>
    program.propertiesOf(object).flatMap((property): [string, unknown][] => {
      const value = program.typeOf(property);
      const isLiteral = ['StringLiteral', 'NumberLiteral', 'BooleanLiteral'].some((flag) => program.isA(value, flag));
      return isLiteral ? [[property.name, program.literal(value)]] : [];
    }),
  );
}

function objectsIn(type: Type, program: Program): readonly Type[] {
  const members = program.isA(type, 'Union') ? program.membersOf(type) : [type];
  return members.filter((member) => program.isA(member, 'Object'));
}
