import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Program, Type } from '../compiler/program.ts';
import { isOpen } from './primitives.ts';
import { Refused } from './refused.ts';
import type { TypeReader } from './type-reader.ts';

/** Whether a type is `{}`, which means anything but null, and not an object without fields, as an empty class does. */
export function isAnything(type: Type, program: Program): boolean {
  if (program.propertiesOf(type).length > 0 || program.indexesOf(type).length > 0) return false;
  const symbol = program.symbolOf(type);
  if (!symbol) return true;
  const [declaration] = program.declarations(symbol);
  return !declaration || program.is(declaration, 'TypeLiteral');
}

/** Refuses `Pick<T, K>`, where callers choose the names: it would be read without any field. */
export function checkMapped(reader: TypeReader, type: Type, node: Node | undefined): void {
  const { program } = reader;
  const symbol = program.symbolOf(type);
  const declaration = symbol && program.declarations(symbol).find((one) => program.is(one, 'MappedType'));
  if (!declaration || program.propertiesOf(type).length > 0 || program.indexesOf(type).length > 0) return;
  const { typeParameter } = declaration as Node & { typeParameter?: Node & { constraint?: Node } };
  const names = typeParameter?.constraint && program.typeAt(typeParameter.constraint);
  const decided = program.aliasOf(type) ? program.aliasArguments(type) : names ? [names] : [];
  if (!decided.some((one) => isOpen(one, program))) return;
  throw new Refused(`${reader.text(type)} depends on what callers choose; use the type that is meant`, node);
}

/** Of a result, nobody would know what is sent. */
export function readAnything({ side }: TypeReader, node: Node | undefined): JsonSchema {
  if (side === 'input') return { type: ['string', 'number', 'boolean', 'object', 'array'] };
  throw new Refused('{} can be anything, so nobody knows what is sent; declare its fields, or use unknown', node);
}
