import type { Program, Sym, Type } from '../compiler/program.ts';

/**
 * The properties of a type in the order of the source, which compilers do not keep for types that are made of others: by file,
 * that of the type itself first, then by place. What has no place of its own is ordered by name.
 */
export function propertiesInOrder(type: Type, program: Program): readonly Sym[] {
  const owner = program.symbolOf(type);
  const home = owner && program.declarations(owner)[0]?.getSourceFile().fileName;
  const placed = program.propertiesOf(type).map((symbol) => {
    const [node] = program.declarations(symbol);
    const file = node?.getSourceFile().fileName ?? '';
    return { symbol, file: file === home ? '' : file, pos: node?.pos ?? -1 };
  });
  return placed
    .toSorted((a, b) => compare(a.file, b.file) || a.pos - b.pos || compare(a.symbol.name, b.symbol.name))
    .map(({ symbol }) => symbol);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
