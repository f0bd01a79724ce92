import type { Program, Type } from '../compiler/program.ts';
import { isBuiltIn } from './known-types.ts';
import { isOwn } from './own-types.ts';

export function isNamed(type: Type, names: readonly string[], program: Program): boolean {
  const symbol = program.isA(type, 'Object') ? program.symbolOf(type) : undefined;
  return symbol !== undefined && names.includes(symbol.name) && isBuiltIn(symbol, program);
}

/** What a promise becomes, also one of a type that extends Promise: what its `then` hands on. Undefined for all others. */
export function awaited(type: Type, program: Program): Type | undefined {
  if (isNamed(type, ['Promise', 'PromiseLike'], program)) return program.typeArguments(type)[0];
  if (!program.isA(type, 'Object') && !program.isA(type, 'Intersection')) return undefined;
  const then = program.propertiesOf(type).find(({ name }) => name === 'then');
  return then && firstParameter(program.typeOf(then), (callback) => firstParameter(callback, (value) => value));

  function firstParameter(called: Type, read: (parameter: Type) => Type | undefined): Type | undefined {
    const members = program.isA(called, 'Union') ? program.membersOf(called) : [called];
    const [signature] = members.flatMap((member) => program.calls(member));
    const [parameter] = signature ? program.parametersOf(signature) : [];
    return parameter && read(program.typeOf(parameter));
  }
}

/**
 * What is left of `T | Promise<T> | Failure`: callers get the value of a promise, and a failure is an error and no result.
 * Undefined if the type is neither.
 */
export function mixed(type: Type, program: Program): readonly Type[] | undefined {
  if (!program.isA(type, 'Union') || program.isA(type, 'Boolean')) return undefined;
  const members = program.membersOf(type);
  if (!members.some((member) => awaited(member, program) || isFailure(member, program))) return undefined;
  const values = members
    .map((member) => awaited(member, program) ?? member)
    .flatMap((member) => (program.isA(member, 'Union') ? program.membersOf(member) : [member]))
    .filter((member) => !isFailure(member, program));
  return [...new Map(values.map((value) => [value.id, value])).values()];
}

/** A Failure of this package. */
export function isFailure(type: Type, program: Program): boolean {
  const symbol = program.isA(type, 'Object') ? program.symbolOf(type) : undefined;
  return symbol?.name === 'Failure' && isOwn(symbol, 'core/failure', program);
}
