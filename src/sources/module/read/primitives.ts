import type { Program, Type } from '../compiler/program.ts';

const PRIMITIVES = [
  'String',
  'Number',
  'BigInt',
  'Boolean',
  'StringLiteral',
  'NumberLiteral',
  'BigIntLiteral',
  'BooleanLiteral',
  'Enum',
  'EnumLiteral',
  'TemplateLiteral',
  'StringMapping',
  'ESSymbol',
  'UniqueESSymbol',
  'Null',
  'Undefined',
  'Void',
];

/** Whether a type is a primitive itself. `object` and type parameters are none. */
export function isPrimitive(type: Type, program: Program): boolean {
  return PRIMITIVES.some((flag) => program.isA(type, flag));
}

const OPEN = ['TypeParameter', 'IndexedAccess', 'Conditional', 'Substitution', 'Index'];

/** Whether callers decide what a type is: only its constraint is known. */
export function isOpen(type: Type, program: Program): boolean {
  return OPEN.some((flag) => program.isA(type, flag));
}
