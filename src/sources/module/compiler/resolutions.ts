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

/** Reading all libraries takes about as long as asking for so many names. */
const MAX_NAMES = 3000;

/** Names that are known without a declaration. */
const BUILT_IN = new Set(['undefined', 'globalThis', 'arguments', 'const']);

/** Diagnostics of the compiler about names and modules that it does not know. */
const UNKNOWN_NAMES = new Set([
  2304, 2307, 2318, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2688, 2694, 2724, 2792, 2867, 2868,
]);

/**
 * Whether the types of a module's exports depend on a name that nothing declares. The compiler takes it for `any`, and goes on:
 * `T extends Blob ? A : B` is then one of the two, or both, without a trace in the result. Follows all declarations that are
 * reached from the exports, so that types which a module does not use need no libraries.
 */
export function hasUnknownNames(program: Program, module: SourceFile): boolean {
  const names = new NameCollector(program);
  names.addExports(module);
  const seen = new Set<Sym>();
  for (let count = 0; ;) {
    const found = names.take();
    count += found.length;
    if (names.hasErrors || count > MAX_NAMES) return true;
    if (found.length === 0) return false;
    const symbols = program.symbolsAt(found.map(({ node }) => node));
    for (const [i, symbol] of symbols.entries()) {
      const { node, kind } = found[i]!;
      if (BUILT_IN.has(node.text ?? '')) continue;
      if (!symbol) return true;
      if (seen.has(symbol)) continue;
      const declarations = program.ownDeclarations(symbol);
      // A field of a mapped type has no declaration; its type is that of another name.
      if (!declarations && kind !== 'member') return true;
      // Of `fs.Stats`, only Stats is meant.
      const isFolder = kind === 'left' && !program.has(symbol, 'Variable') && program.has(symbol, 'Namespace');
      if (isFolder) continue;
      seen.add(symbol);
      for (const declaration of declarations ?? []) names.add(declaration, symbol);
    }
  }
}

interface FoundName {
  readonly node: Node;
  /** `left` has a member, which is a name as well. */
  readonly kind: 'name' | 'left' | 'member';
}

/** Collects the names that the types of declarations depend on. */
class NameCollector {
  /** Whether a file of JavaScript, whose types are in comments, has unknown names. */
  hasErrors = false;
  readonly #seen = new Set<Node>();
  readonly #files = new Set<string>();
  #found: FoundName[] = [];

  constructor(private readonly program: Program) {}

  take(): readonly FoundName[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  addExports(of: Sym | SourceFile): void {
    for (const symbol of this.program.exportsOf(of)) {
      const target = this.program.target(symbol);
      for (const one of this.program.ownDeclarations(target) ?? []) this.add(one, target);
    }
  }

  add(declaration: Node, symbol: Sym): void {
    const { program } = this;
    const { fileName } = declaration.getSourceFile();
    if (/\.[cm]?jsx?$/.test(fileName) && !this.#files.has(fileName)) {
      this.#files.add(fileName);
      this.hasErrors ||= program.errors(fileName).some(({ code }) => UNKNOWN_NAMES.has(code));
    }
    if (!program.is(declaration, 'SourceFile')) this.#walk(declaration, undefined);
    else if (!this.#seen.has(declaration)) {
      this.#seen.add(declaration);
      this.addExports(symbol);
    }
  }

  #walk(node: Node, parent: Node | undefined): void {
    if (this.#seen.has(node)) return;
    this.#seen.add(node);
    if (this.program.is(node, 'Identifier')) return this.#identifier(node, parent);
    if (this.#isLog(node)) return;
    const specifier = this.#specifier(node);
    if (specifier) this.#found.push({ node: specifier, kind: 'left' });
    // With an annotation, the type does not depend on what is inside.
    const skipped = node.type && (node.body ?? node.initializer);
    node.forEachChild((child) => {
      if (child !== skipped) this.#walk(child, node);
      return undefined;
    });
  }

  #identifier(node: Node, parent: Node | undefined): void {
    const is = (kind: string) => parent !== undefined && this.program.is(parent, kind);
    const { left, expression } = (parent ?? {}) as Node & { left?: Node };
    if (is('PropertyAccessExpression') || is('QualifiedName')) {
      const kind = node === left || node === expression ? 'left' : 'member';
      this.#found.push({ node, kind });
    } else if (is('ShorthandPropertyAssignment')) {
      const value = this.program.valueAt(node);
      this.#found.push({ node, kind: 'member' });
      for (const one of (value && this.program.ownDeclarations(value)) ?? []) this.add(one, value!);
      this.hasErrors ||= !value;
    } else if (is('BindingElement') && node === parent!.propertyName) this.#found.push({ node, kind: 'member' });
    else if (node !== parent?.name) this.#found.push({ node, kind: 'name' });
  }

  /** `console.log(…)` is in many functions, and changes no type. Other calls may never return, as `process.exit()`. */
  #isLog(node: Node): boolean {
    const { program } = this;
    const call = program.is(node, 'ExpressionStatement') ? node.expression : undefined;
    const callee = call && program.is(call, 'CallExpression') ? call.expression : undefined;
    const object = callee && program.is(callee, 'PropertyAccessExpression') ? callee.expression : undefined;
    return object?.text === 'console' && program.is(object, 'Identifier');
  }

  /** The specifier of `import('…')`, as a type or as a call. */
  #specifier(node: Node): Node | undefined {
    const { program } = this;
    const { argument } = node as Node & { argument?: Node & { literal?: Node } };
    if (program.is(node, 'ImportType')) return argument?.literal;
    const isImport =
      program.is(node, 'CallExpression') && node.expression && program.is(node.expression, 'ImportKeyword');
    const [specifier] = (isImport && node.arguments) || [];
    return specifier && program.is(specifier, 'StringLiteral') ? specifier : undefined;
  }
}
