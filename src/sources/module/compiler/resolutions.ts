import type { Node, Program, SourceFile } from './program.ts';

/** Which file an import means. */
export interface Resolution {
  readonly importer: string;
  readonly specifier: string;
  readonly file: string;
}

/** Files of one module: a project is not read as a whole. */
const MOST_FILES = 5000;

/** What the imports of a module mean, and those of the files that it imports, apart from packages and declarations. */
export function resolutionsOf(program: Program, module: SourceFile): Resolution[] {
  const found: Resolution[] = [];
  const seen = new Set([module.fileName]);
  const waiting = [module];
  for (let file = waiting.pop(); file && seen.size < MOST_FILES; file = waiting.pop()) {
    for (const specifier of specifiersIn(file, program)) {
      const target = targetOf(specifier, program);
      if (!target) continue;
      found.push({ importer: file.fileName, specifier: specifier.text ?? '', file: target.fileName });
      const isOwn = !target.fileName.includes('/node_modules/') && !/\.d\.[cm]?ts$/.test(target.fileName);
      if (!isOwn || seen.has(target.fileName)) continue;
      seen.add(target.fileName);
      waiting.push(target);
    }
  }
  return found;
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

function targetOf(specifier: Node, program: Program): SourceFile | undefined {
  const symbol = program.symbolAt(specifier);
  const node = symbol && program.declarations(symbol).find((one) => program.is(one, 'SourceFile'));
  return node?.getSourceFile();
}
