import { basename } from 'node:path';
import type { Node, Program, SourceFile, Sym, Type } from '../compiler/program.ts';
import { isBuiltIn } from './known-types.ts';
import { Hints } from './hints.ts';
import { propertiesInOrder } from './property-order.ts';
import { Refused } from './refused.ts';
import type { Candidate } from './read-function.ts';

/** Groups inside of groups. `export * as a from './a'` in a itself has no end. */
const DEEPEST = 5;

/** Calls back for every exported function, or with the reason why one cannot be reached. */
export class FunctionFinder {
  readonly #hints: Hints;

  constructor(
    private readonly program: Program,
    private readonly found: (candidate: Candidate) => void,
    private readonly refused: (name: string, refused: Refused) => void,
  ) {
    this.#hints = new Hints(program);
  }

  inModule(file: SourceFile): void {
    for (const symbol of this.#inOrder(this.program.exportsOf(file))) {
      const target = this.program.target(symbol);
      if (symbol.name === 'default') this.#default(target, file.fileName);
      else this.#symbol(target, [symbol.name], symbol.name, 0);
    }
  }

  /** Compilers put functions before variables. */
  #inOrder(symbols: readonly Sym[]): Sym[] {
    const places = new Map(
      symbols.map((symbol) => {
        const [node] = this.program.declarations(symbol);
        return [symbol, { file: node?.getSourceFile().fileName ?? '', pos: node?.pos ?? 0 }];
      }),
    );
    const files = [...new Set([...places.values()].map(({ file }) => file))].toSorted();
    return symbols.toSorted((a, b) => {
      const [one, other] = [places.get(a)!, places.get(b)!];
      return one.file === other.file ? one.pos - other.pos : files.indexOf(one.file) - files.indexOf(other.file);
    });
  }

  /** The default export: its functions have no group. */
  #default(symbol: Sym, file: string): void {
    const [node] = this.program.declarations(symbol);
    if (!node) return;
    const type = this.program.typeOf(symbol);
    if (this.program.has(symbol, 'Class')) return this.#class(symbol, node, ['default'], '');
    const own = node.name?.text ?? symbol.name;
    const name = own === 'default' ? basename(file).replace(/\.[^.]*$/, '') : own;
    if (this.program.calls(type).length > 0) this.#function(type, node, ['default'], name);
    else if (this.#isOfFunctions(node)) this.#object(type, ['default'], '', 0);
  }

  #symbol(symbol: Sym, path: readonly string[], name: string, level: number): void {
    const { program } = this;
    const [node] = program.declarations(symbol);
    if (!node || level > DEEPEST) return;
    if (program.has(symbol, 'Module') || program.is(node, 'SourceFile')) {
      if (this.#isInternal(node)) return;
      for (const inner of this.#inOrder(program.exportsOf(symbol))) {
        if (inner.name === 'default') continue;
        this.#symbol(program.target(inner), [...path, inner.name], `${name}.${inner.name}`, level + 1);
      }
    }
    if (program.has(symbol, 'Class')) return this.#class(symbol, node, path, `${name}.`);
    if (!program.has(symbol, 'Function') && !program.has(symbol, 'Variable')) return;
    const type = program.typeOf(symbol);
    if (program.calls(type).length > 0) this.#function(type, node, path, name);
    else if (this.#isOfFunctions(node)) this.#object(type, path, `${name}.`, level);
    else if (program.isError(type)) this.refused(name, new Refused('The compiler does not know this type', node));
  }

  #function(type: Type, node: Node, path: readonly string[], name: string): void {
    // Among overloads, the docs are at any of them.
    if (this.#isInternal(node)) return;
    const docs = this.#hints.docs(node);
    this.found({ name, path, of: 'exports', signatures: this.program.calls(type), node, docs });
  }

  /** The functions of an object that was written as one. Schemas and clients have functions too, but not for callers. */
  #object(type: Type, path: readonly string[], prefix: string, level: number): void {
    if (level > DEEPEST) return;
    for (const property of propertiesInOrder(type, this.program)) {
      const [node] = this.program.declarations(property);
      if (!node || property.name.startsWith('__@') || this.#isHidden(node)) continue;
      if (isBuiltIn(property, this.program)) continue; // of Error, or of Object
      const inner = this.program.typeOf(property);
      const at = [...path, property.name];
      if (this.program.calls(inner).length > 0) this.#function(inner, this.#origin(node), at, prefix + property.name);
      else if (this.#isOfFunctions(node)) this.#object(inner, at, `${prefix}${property.name}.`, level + 1);
    }
  }

  /** `{ add }` is documented where `add` is declared. */
  #origin(node: Node): Node {
    if (!this.program.is(node, 'ShorthandPropertyAssignment') && !this.program.is(node, 'PropertyAssignment'))
      return node;
    const named = node.initializer ?? node.name;
    if (!named || !this.program.is(named, 'Identifier') || this.#hints.docs(node).description !== '') return node;
    const symbol = this.program.valueAt(named);
    return (symbol && this.program.declarations(symbol)[0]) ?? node;
  }

  #class(symbol: Sym, node: Node, path: readonly string[], prefix: string): void {
    const { program } = this;
    if (this.#isInternal(node)) return;
    const type = program.typeOf(symbol);
    const methods = propertiesInOrder(program.instanceOf(symbol), program).filter((method) =>
      this.#isPublicMethod(method),
    );
    const [constructor] = program.constructors(type);
    const needed = constructor ? program.parametersOf(constructor).filter((one) => this.#isNeeded(one)) : [];
    for (const method of methods) {
      const [declaration] = program.declarations(method);
      const name = prefix + method.name;
      if (this.#isInternal(declaration!)) continue;
      if (needed.length > 0 || !constructor) {
        const reason = 'The class needs arguments to be created; export an object of it: export const name = new …';
        this.refused(name, new Refused(reason, node));
        continue;
      }
      const signatures = program.calls(program.typeOf(method));
      const docs = this.#hints.docs(declaration);
      this.found({ name, path: [...path, method.name], of: 'instance', signatures, node: declaration!, docs });
    }
    this.#object(type, path, prefix, DEEPEST);
  }

  #isPublicMethod(symbol: Sym): boolean {
    const { program } = this;
    const [node] = program.declarations(symbol);
    if (!node || !program.has(symbol, 'Method') || symbol.name.startsWith('__') || isBuiltIn(symbol, program))
      return false;
    return !this.#isHidden(node);
  }

  #isNeeded(parameter: Sym): boolean {
    const [node] = this.program.declarations(parameter);
    return !node?.questionToken && !node?.initializer && !node?.dotDotDotToken;
  }

  #isHidden(node: Node): boolean {
    if (node.name && this.program.is(node.name, 'PrivateIdentifier')) return true;
    const kinds = ['PrivateKeyword', 'ProtectedKeyword'];
    return (node.modifiers ?? []).some((one) => kinds.some((kind) => this.program.is(one, kind)));
  }

  #isInternal(node: Node): boolean {
    return this.#hints
      .docs(node)
      .tags.some(({ name }) => name === 'internal' || name === 'private' || name === 'hidden');
  }

  /** Whether a variable or the default export is an object literal, or an object of a class of this project. */
  #isOfFunctions(node: Node): boolean {
    const { program } = this;
    let value = program.is(node, 'ExportAssignment') ? node.expression : node.initializer;
    while (
      value &&
      ['AsExpression', 'SatisfiesExpression', 'ParenthesizedExpression'].some((kind) => program.is(value!, kind))
    )
      value = value.expression;
    if (!value) return false;
    if (program.is(value, 'ObjectLiteralExpression')) return true;
    if (!program.is(value, 'NewExpression') || !value.expression) return false;
    const symbol = program.symbolAt(value.expression);
    const [declaration] = symbol ? program.declarations(symbol) : [];
    return (
      declaration !== undefined &&
      !declaration.getSourceFile().fileName.includes('/node_modules/') &&
      !isBuiltIn(symbol!, program)
    );
  }
}
