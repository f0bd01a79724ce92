import type { Node, Program, SourceFile, Sym } from '../compiler/program.ts';
import type { Hints } from './hints.ts';

const TYPE_STATEMENT = /^(?:export|import)\s+type(?:\s*[{*]|\s+(?!from\b)[\w$])/;
const TYPE_NAME = /^type\s+(?!as\b)[\w$]/;
/** Longer chains of exports lead back to themselves. */
const LONGEST = 20;

/** How symbols are exported: some are not there when the module runs, and some are not meant for callers. */
export class Exports {
  constructor(
    private readonly program: Program,
    private readonly hints: Hints,
  ) {}

  /** What a module or a namespace exports to callers. */
  served(of: Sym | SourceFile): readonly Sym[] {
    const hidden = new Set<Sym>();
    const [file] = 'fileName' in of ? [of] : this.program.declarations(of);
    if (file && this.program.is(file, 'SourceFile')) this.#hideStars(file, hidden, 0);
    return this.program
      .exportsOf(of)
      .filter((symbol) => !hidden.has(symbol) && !this.#isTypeOnly(symbol, 0) && !this.isInternal(symbol));
  }

  /** The statement `export = …`. */
  whole(file: SourceFile): Node | undefined {
    return childrenOf(file).find(
      (one) => this.program.is(one, 'ExportAssignment') && /^export\s*=/.test(textOf(one)) && !this.isMarked(one),
    );
  }

  /** Whether a declaration says so, or the statement that exports it. */
  isInternal(symbol: Sym): boolean {
    return this.program.declarations(symbol).some((node) => {
      // A comment at the start of a file belongs to its first statement, unless that only imports.
      if (this.program.is(node, 'SourceFile') && !this.#startsWithImport(node)) return false;
      const statement = this.#statementOf(node);
      return this.isMarked(node) || (statement !== undefined && this.isMarked(statement));
    });
  }

  #startsWithImport(file: Node): boolean {
    const [first] = childrenOf(file);
    return first !== undefined && this.program.is(first, 'ImportDeclaration');
  }

  isMarked(node: Node): boolean {
    return this.hints
      .docs(node)
      .tags.some(({ name }) => name === 'internal' || name === 'private' || name === 'hidden');
  }

  /** `export declare function f(): void` promises something that is elsewhere. A file of declarations has code next to it. */
  isAmbient(symbol: Sym): boolean {
    const { program } = this;
    const values = program
      .declarations(symbol)
      .filter((node) => !program.is(node, 'InterfaceDeclaration') && !program.is(node, 'TypeAliasDeclaration'));
    return (
      values.length > 0 &&
      values.every((node) => {
        if (/\.d\.[\w.]*[cm]?ts$/.test(node.getSourceFile().fileName)) return false;
        const declared = program.is(node, 'VariableDeclaration') ? (node.parent?.parent ?? node) : node;
        return (declared.modifiers ?? []).some((one) => program.is(one, 'DeclareKeyword'));
      })
    );
  }

  #isTypeOnly(symbol: Sym, level: number): boolean {
    if (level > LONGEST) return false;
    return this.program.declarations(symbol).some((node) => {
      // A comment at the start of a file belongs to its first statement, unless that only imports.
      if (this.program.is(node, 'SourceFile') && !this.#startsWithImport(node)) return false;
      const statement = this.#statementOf(node);
      if (!statement) return false;
      if (TYPE_STATEMENT.test(textOf(statement))) return true;
      if (this.program.is(node, 'NamespaceExport')) return false;
      if (TYPE_NAME.test(textOf(node))) return true;
      const name = (node.propertyName ?? node.name)?.text;
      if (name === undefined) return false;
      return this.#moduleOf(statement)
        ? this.#isTypeOnlyIn(statement, name, level)
        : this.#isImportedAsType(node.getSourceFile(), name, level);
    });
  }

  #isTypeOnlyIn(statement: Node, name: string, level: number): boolean {
    const module = this.#moduleOf(statement);
    const symbol = module && this.program.symbolAt(module);
    const found = symbol && this.program.exportsOf(symbol).find((one) => one.name === name);
    return found !== undefined && this.#isTypeOnly(found, level + 1);
  }

  /** `import type { f } from './f.ts'; export { f }`. */
  #isImportedAsType(file: SourceFile, name: string, level: number): boolean {
    const { program } = this;
    return childrenOf(file).some((statement) => {
      if (!program.is(statement, 'ImportDeclaration')) return false;
      const clause = childrenOf(statement).find((one) => program.is(one, 'ImportClause'));
      if (!clause) return false;
      const named = childrenOf(clause).flatMap((one) => (program.is(one, 'NamedImports') ? childrenOf(one) : [one]));
      const found = [clause, ...named].find((one) => one.name?.text === name);
      if (!found) return false;
      if (TYPE_STATEMENT.test(textOf(statement)) || (found !== clause && TYPE_NAME.test(textOf(found)))) return true;
      if (program.is(found, 'NamespaceImport')) return false;
      const imported = found === clause ? 'default' : (found.propertyName ?? found.name)!.text!;
      return this.#isTypeOnlyIn(statement, imported, level);
    });
  }

  /** What `export *` brings, if its statement is internal or about types only. */
  #hideStars(file: Node, hidden: Set<Sym>, level: number): void {
    const { program } = this;
    if (level > LONGEST) return;
    for (const statement of childrenOf(file)) {
      if (!program.is(statement, 'ExportDeclaration')) continue;
      const isStar = !childrenOf(statement).some(
        (one) => program.is(one, 'NamedExports') || program.is(one, 'NamespaceExport'),
      );
      const module = isStar ? this.#moduleOf(statement) : undefined;
      const symbol = module && program.symbolAt(module);
      if (!symbol) continue;
      if (this.isMarked(statement) || TYPE_STATEMENT.test(textOf(statement)))
        for (const one of program.exportsOf(symbol)) hidden.add(one);
      else for (const inner of program.declarations(symbol)) this.#hideStars(inner, hidden, level + 1);
    }
  }

  #moduleOf(statement: Node): Node | undefined {
    return childrenOf(statement).find((one) => this.program.is(one, 'StringLiteral'));
  }

  /** The `export { … }` of a name in it. */
  #statementOf(node: Node): Node | undefined {
    if (this.program.is(node, 'ExportSpecifier')) return node.parent?.parent;
    return this.program.is(node, 'NamespaceExport') ? node.parent : undefined;
  }
}

function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return children;
}

const textOf = (node: Node) => node.getSourceFile().text.slice(node.getStart(), node.end);
