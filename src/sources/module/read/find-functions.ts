import { basename } from 'node:path';
import type { Node, Program, Signature, SourceFile, Sym, Type } from '../compiler/program.ts';
import { Exports } from './exports.ts';
import { isBuiltIn } from './known-types.ts';
import { Hints } from './hints.ts';
import { propertiesInOrder } from './property-order.ts';
import { Refused } from './refused.ts';
import type { Candidate } from './read-function.ts';

/** Groups inside of groups. `export * as a from './a'` in a itself has no end. */
const DEEPEST = 5;
/** Types of `this` that say that it is not used. */
const NO_SELF = ['Void', 'Undefined', 'Any', 'Unknown'];

/** Expressions that are a function, or have some. */
const FUNCTIONS = ['ArrowFunction', 'FunctionExpression', 'ClassExpression'];

const nameOfFile = (file: string) => basename(file).replace(/\.[^.]*$/, '');

/** Calls back for every exported function, or with the reason why one cannot be reached. */
/** They return the object itself. */
const FREEZING = new Set(['Object.freeze', 'Object.seal']);

const textOf = (node: Node | undefined) => node?.getSourceFile().text.slice(node.getStart(), node.end) ?? '';

export class FunctionFinder {
  readonly #hints: Hints;
  readonly #exports: Exports;

  constructor(
    private readonly program: Program,
    private readonly found: (candidate: Candidate) => void,
    private readonly refused: (name: string, refused: Refused) => void,
  ) {
    this.#hints = new Hints(program);
    this.#exports = new Exports(program, this.#hints);
  }

  inModule(file: SourceFile): void {
    const whole = this.#exports.whole(file);
    if (whole) this.#whole(whole, file.fileName);
    const symbols = this.#inOrder(this.#exports.served(file));
    const named = new Set(symbols.flatMap((one) => (one.name === 'default' ? [] : [this.program.target(one)])));
    for (const symbol of symbols) {
      const target = this.program.target(symbol);
      if (symbol.name !== 'default') this.#symbol(target, [symbol.name], symbol.name, 0);
      // A function that has a name here, too, is one function.
      else if (!named.has(target) || !this.program.has(target, 'Function')) this.#default(target, file.fileName);
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

  /** `export = Add`: some loaders make it the default export, and others do not. */
  #whole(statement: Node, file: string): void {
    const { program } = this;
    const value = statement.expression;
    const symbol = value && program.is(value, 'Identifier') ? program.symbolAt(value) : undefined;
    const [node = statement] = symbol ? program.declarations(symbol) : [];
    const isFunction = symbol && (program.has(symbol, 'Class') || program.calls(program.typeOf(symbol)).length > 0);
    const isWritten = value && FUNCTIONS.some((kind) => program.is(value, kind));
    if ((symbol && this.#isLeftOut(symbol)) || !(isFunction || isWritten || this.#isOfFunctions(node))) return;
    const reason =
      'Functions are served by the names that they are exported with; write export { name } instead of export =';
    this.refused(symbol?.name ?? nameOfFile(file), new Refused(reason, statement));
  }

  /** The default export: its functions have no group. */
  #default(symbol: Sym, file: string): void {
    const [node] = this.program.declarations(symbol);
    if (!node || this.#isLeftOut(symbol)) return;
    const type = this.program.typeOf(symbol);
    if (this.program.has(symbol, 'Class')) return this.#class(symbol, node, ['default'], '');
    const own = node.name?.text ?? symbol.name;
    const name = own === 'default' ? nameOfFile(file) : own;
    if (this.program.calls(type).length > 0) this.#alone(type, node, ['default'], name);
    else if (this.#isOfFunctions(node)) this.#object(type, ['default'], '', 0);
  }

  #symbol(symbol: Sym, path: readonly string[], name: string, level: number): void {
    const { program } = this;
    const [node] = program.declarations(symbol);
    if (!node || level > DEEPEST || this.#isLeftOut(symbol)) return;
    if (program.has(symbol, 'Module') || program.is(node, 'SourceFile')) {
      for (const inner of this.#inOrder(this.#exports.served(symbol))) {
        if (inner.name === 'default') continue;
        this.#symbol(program.target(inner), [...path, inner.name], `${name}.${inner.name}`, level + 1);
      }
    }
    if (program.has(symbol, 'Class')) return this.#class(symbol, node, path, `${name}.`);
    // Also what an object has whose module says `export =`, as in many packages.
    if (!['Function', 'Variable', 'Method', 'Property'].some((flag) => program.has(symbol, flag))) return;
    const type = program.typeOf(symbol);
    if (program.calls(type).length > 0) this.#alone(type, node, path, name);
    else if (this.#isOfFunctions(node)) this.#object(type, path, `${name}.`, level);
    else if (program.isError(type)) this.refused(name, new Refused('The compiler does not know this type', node));
    else if (program.isA(type, 'Union') && program.membersOf(type).some((one) => program.calls(one).length > 0))
      this.refused(name, new Refused('It may be something else than a function; export a function', node));
  }

  #isLeftOut(symbol: Sym): boolean {
    return this.#exports.isInternal(symbol) || this.#exports.isAmbient(symbol);
  }

  /** A function that belongs to no object. */
  #alone(type: Type, node: Node, path: readonly string[], name: string): void {
    const { program } = this;
    const [signature] = program.calls(type);
    const first = signature && program.declarationOf(signature)?.parameters?.[0];
    const self = first?.name?.text === 'this' && first.type ? program.typeAt(first.type) : undefined;
    if (!self || NO_SELF.some((flag) => program.isA(self, flag))) return this.#function(type, node, path, name);
    if (this.#exports.isMarked(node)) return;
    this.refused(
      name,
      new Refused('The function needs a "this", which no caller can send; make it a parameter', first),
    );
  }

  #function(type: Type, node: Node, path: readonly string[], name: string): void {
    if (this.#exports.isMarked(node)) return;
    const docs = this.#hints.docs(node);
    this.found({ name, path, of: 'exports', signatures: this.program.calls(type), node, docs });
  }

  /** The functions of an object that was written as one. Schemas and clients have functions too, but not for callers. */
  #object(type: Type, path: readonly string[], prefix: string, level: number): void {
    if (level > DEEPEST) return;
    for (const property of propertiesInOrder(type, this.program)) {
      const [node] = this.program.declarations(property);
      if (!node || property.name.startsWith('__@') || this.#isHidden(node)) continue;
      if (this.#exports.isInternal(property)) continue;
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
    const type = program.typeOf(symbol);
    const methods = propertiesInOrder(program.instanceOf(symbol), program).filter((method) =>
      this.#isPublicMethod(method),
    );
    const reason = this.#whyNotCreated(node, program.constructors(type)[0]);
    for (const method of methods) {
      const [declaration] = program.declarations(method);
      const name = prefix + method.name;
      if (this.#exports.isInternal(method)) continue;
      if (reason !== undefined) {
        this.refused(name, new Refused(reason, node));
        continue;
      }
      const signatures = program.calls(program.typeOf(method));
      const docs = this.#hints.docs(declaration);
      this.found({ name, path: [...path, method.name], of: 'instance', signatures, node: declaration!, docs });
    }
    this.#object(type, path, prefix, DEEPEST);
  }

  /** Why there can be no object of a class; undefined if there can. */
  #whyNotCreated(node: Node, constructor: Signature | undefined): string | undefined {
    const { program } = this;
    const advice = 'export an object of it: export const name = new …';
    if ((node.modifiers ?? []).some((one) => program.is(one, 'AbstractKeyword')))
      return 'The class is abstract, so there is no object of it; export a class that extends it';
    const declaration = constructor && program.declarationOf(constructor);
    if (declaration && this.#isHidden(declaration))
      return `The constructor is not public; ${advice.replace('new …', '…')}, or make the methods static`;
    const needed = constructor ? program.parametersOf(constructor).filter((one) => this.#isNeeded(one)) : [];
    return needed.length > 0 || !constructor ? `The class needs arguments to be created; ${advice}` : undefined;
  }

  /** A method, or a field that holds a function from the start. */
  #isPublicMethod(symbol: Sym): boolean {
    const { program } = this;
    const [node] = program.declarations(symbol);
    if (!node || symbol.name.startsWith('__') || isBuiltIn(symbol, program) || this.#isHidden(node)) return false;
    if (program.has(symbol, 'Method')) return true;
    const isField = program.is(node, 'PropertyDeclaration') && node.initializer !== undefined;
    return isField && program.calls(program.typeOf(symbol)).length > 0;
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

  /** Whether a variable or the default export is an object literal, or an object of a class of this project. */
  #isOfFunctions(node: Node): boolean {
    const { program } = this;
    let value = program.is(node, 'ExportAssignment') ? node.expression : node.initializer;
    while (
      value &&
      ['AsExpression', 'SatisfiesExpression', 'ParenthesizedExpression'].some((kind) => program.is(value!, kind))
    )
      value = value.expression;
    if (value && program.is(value, 'CallExpression') && FREEZING.has(textOf(value.expression)))
      value = value.arguments?.[0];
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
