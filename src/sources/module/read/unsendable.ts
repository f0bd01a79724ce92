import type { Type } from '../compiler/program.ts';
import { isBuiltIn } from './known-types.ts';
import type { TypeReader } from './type-reader.ts';

/**
 * Whether callers cannot send any value of a type, and are not meant to: callbacks, signals and symbols are for code in the
 * same process. Where they are optional, they are left out.
 */
export function isUnsendable(reader: TypeReader, type: Type): boolean {
  const { program } = reader;
  const members = reader.present(type);
  return (
    members.length > 0 &&
    members.every((member) => {
      if (program.isA(member, 'ESSymbol') || program.isA(member, 'UniqueESSymbol')) return true;
      if (!program.isA(member, 'Object')) return false;
      const symbol = program.symbolOf(member);
      if (symbol?.name === 'AbortSignal' || symbol?.name === 'Function') return isBuiltIn(symbol, program);
      return program.calls(member).length > 0;
    })
  );
}
