import type { Program, Type } from '../compiler/program.ts';
import { isBuiltIn } from './known-types.ts';
import { isOwn } from './own-types.ts';

export function isNamed(type: Type, names: readonly string[], program: Program): boolean {
  const symbol = program.isA(type, 'Object') ? program.symbolOf(type) : undefined;
  return symbol !== undefined && names.includes(symbol.name) && isBuiltIn(symbol, program);
}

export const isPromise = (type: Type, program: Program): boolean => isNamed(type, ['Promise', 'PromiseLike'], program);

/**
 * What is left of `T | Promise<T> | Failure`: callers get the value of a promise, and a failure is an error and no result.
 * Undefined if the type is neither.
 */
export function mixed(type: Type, program: Program): readonly Type[] | undefined {
  if (!program.isA(type, 'Union') || program.isA(type, 'Boolean')) return undefined;
  const members = program.membersOf(type);
  if (!members.some((member) => isPromise(member, program) || isFailure(member, program))) return undefined;
  const values = members
    .flatMap((member) => (isPromise(member, program) ? program.typeArguments(member).slice(0, 1) : [member]))
    .flatMap((member) => (program.isA(member, 'Union') ? program.membersOf(member) : [member]))
    .filter((member) => !isFailure(member, program));
  return [...new Map(values.map((value) => [value.id, value])).values()];
}

/** A Failure of this package. */
export function isFailure(type: Type, program: Program): boolean {
  const symbol = program.isA(type, 'Object') ? program.symbolOf(type) : undefined;
  return symbol?.name === 'Failure' && isOwn(symbol, 'core/failure', program);
}
