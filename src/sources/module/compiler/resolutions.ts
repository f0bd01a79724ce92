import type { Node, Program, SourceFile, Sym } from './program.ts';

/** Which file an import means. */
export interface Resolution {
  readonly importer: string;
  readonly specifier: string;
  readonly file: string;
}

/** Files of one module: a project is not read as a whole. */
const MOST_FILES = 5000;

interface Resolutions {
  readonly found: readonly Resolution[];
  /** Whether the compiler knows nothing of an import. */
  readonly areIncomplete: boolean;
}

/** What the imports of a module mean, and those of the files that it imports, apart from packages and declarations. */
export function resolutionsOf(program: Program, module: SourceFile): Resolutions {
  const found: Resolution[] = [];
  let areIncomplete = false;
  const seen = new Set([module.fileName]);
  const waiting = [module];
  for (let file = waiting.pop(); file && seen.size < MOST_FILES; file = waiting.pop()) {
    for (const specifier of specifiersIn(file, program)) {
      const symbol = program.symbolAt(specifier);
      areIncomplete ||= symbol === undefined;
      const target = symbol && fileOf(symbol, program);
      if (!target) continue;
      found.push({ importer: file.fileName, specifier: specifier.text ?? '', file: target.fileName });
      const isOwn = !target.fileName.includes('/node_modules/') && !/\.d\.[cm]?ts$/.test(target.fileName);
      if (!isOwn || seen.has(target.fileName)) continue;
      seen.add(target.fileName);
      waiting.push(target);
    }
  }
  return { found, areIncomplete };
}

function specifiersIn(file: SourceFile, program: Program): Node[] {
  const found: Node[] = [];
  file.forEachChild((statement) => {
    const { moduleSpecifier } = statement as Node & { moduleSpecifier?: Node };
    if (moduleSpecifier && program.is(moduleSpecifier, 'StringLiteral')) found.push(moduleSpecifier);
    return undefined;
  });
  return found;
}

function fileOf(symbol: Sym, program: Program): SourceFile | undefined {
  return program
    .declarations(symbol)
    .find((one) => program.is(one, 'SourceFile'))
    ?.getSourceFile();
}
