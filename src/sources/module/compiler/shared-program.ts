import { isLibrary } from './is-library.ts';
import type { Diagnostic, Element, ElementKind, Node, Program, Signature, SourceFile, Sym, Type } from './program.ts';

type Flags = Readonly<Record<string, number | string>>;

/** The enumerations of a compiler: their names are the same in all versions, their numbers are not. */
export interface Enumerations {
  readonly TypeFlags: Flags;
  readonly ObjectFlags: Flags;
  readonly SymbolFlags: Flags;
  readonly SyntaxKind: Flags;
  readonly ElementFlags: Flags;
}

/** What the checkers of all versions have in common. */
export interface Checker {
  getSymbolAtLocation(node: Node): Sym | undefined;
  getShorthandAssignmentValueSymbol(node: Node): Sym | undefined;
  getExportsOfModule(symbol: Sym): readonly Sym[];
  getAliasedSymbol(symbol: Sym): Sym;
  getTypeOfSymbol(symbol: Sym): Type | undefined;
  getDeclaredTypeOfSymbol(symbol: Sym): Type;
  isArrayType(type: Type): boolean;
  isTupleType(type: Type): boolean;
  getTypeArguments(type: Type): readonly Type[];
  getPropertiesOfType(type: Type): readonly Sym[];
  getIndexInfosOfType(type: Type): readonly IndexInfo[];
  getBaseConstraintOfType(type: Type): Type | undefined;
  getSignaturesOfType(type: Type, kind: number): readonly Signature[];
  getReturnTypeOfSignature(signature: Signature): Type | undefined;
  getTypeFromTypeNode(node: Node): Type | undefined;
  typeToString(type: Type): string;
}

/** The value is `type` up to TypeScript 6.0. */
interface IndexInfo {
  readonly keyType: Type;
  readonly valueType?: Type;
  readonly type?: Type;
}

const CALL = 0;
const CONSTRUCT = 1;

export abstract class SharedProgram implements Program {
  lacksLibraries = false;
  readonly #kinds = new Map<string, number>();
  /** Asking TypeScript 7 costs a message. */
  readonly #types = new WeakMap<Sym, Type>();
  readonly #answers = new WeakMap<Type, Map<string, unknown>>();
  readonly #named = new WeakMap<Node, Sym | undefined>();

  constructor(
    readonly version: string,
    protected readonly enumerations: Enumerations,
    protected readonly checker: Checker,
    private readonly libraries: string,
  ) {}

  isLibrary(path: string): boolean {
    return isLibrary(path, this.libraries);
  }

  abstract sourceFile(path: string): SourceFile | undefined;
  abstract syntaxErrors(path: string): readonly Diagnostic[];
  abstract errors(path: string): readonly Diagnostic[];
  abstract close(): void;
  abstract declarations(symbol: Sym): readonly Node[];
  abstract ownDeclarations(symbol: Sym): readonly Node[] | undefined;
  protected abstract symbolsAtLocations(names: readonly Node[]): readonly (Sym | undefined)[];
  abstract aliasOf(type: Type): Sym | undefined;
  abstract aliasArguments(type: Type): readonly Type[];
  abstract symbolOf(type: Type): Sym | undefined;
  protected abstract constituents(type: Type): readonly Type[];
  abstract literal(type: Type): string | number | boolean | bigint;
  abstract parametersOf(signature: Signature): readonly Sym[];
  abstract declarationOf(signature: Signature): Node | undefined;
  protected abstract elementFlags(type: Type): readonly number[];

  /** Asks once about each type. */
  protected once<T>(type: Type, question: string, ask: () => T): T {
    let answers = this.#answers.get(type);
    if (!answers) this.#answers.set(type, (answers = new Map()));
    if (!answers.has(question)) answers.set(question, ask());
    return answers.get(question) as T;
  }

  #signatures(type: Type, kind: number): readonly Signature[] {
    const mayHave = ['Object', 'Intersection', 'Union', 'TypeParameter'].some((flag) => this.isA(type, flag));
    return mayHave ? this.once(type, `signatures ${kind}`, () => this.checker.getSignaturesOfType(type, kind)) : [];
  }

  exportsOf(of: Sym | SourceFile): readonly Sym[] {
    const symbol = 'fileName' in of ? this.checker.getSymbolAtLocation(of) : of;
    return symbol ? this.checker.getExportsOfModule(symbol) : [];
  }

  target(symbol: Sym): Sym {
    return this.has(symbol, 'Alias') ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  typeOf(symbol: Sym): Type {
    let type = this.#types.get(symbol);
    type ??= this.checker.getTypeOfSymbol(symbol) ?? this.checker.getDeclaredTypeOfSymbol(symbol);
    this.#types.set(symbol, type);
    return type;
  }

  symbolAt(name: Node): Sym | undefined {
    if (this.#named.has(name)) return this.#named.get(name);
    const symbol = this.checker.getSymbolAtLocation(name);
    const target = symbol && this.target(symbol);
    this.#named.set(name, target);
    return target;
  }

  symbolsAt(names: readonly Node[]): readonly (Sym | undefined)[] {
    const others = names.filter((name) => !this.#named.has(name));
    const symbols = others.length === 0 ? [] : this.symbolsAtLocations(others);
    for (const [i, name] of others.entries()) this.#named.set(name, symbols[i] && this.target(symbols[i]));
    return names.map((name) => this.#named.get(name));
  }

  valueAt(name: Node): Sym | undefined {
    const { parent } = name;
    if (!parent || !this.is(parent, 'ShorthandPropertyAssignment')) return this.symbolAt(name);
    const symbol = this.checker.getShorthandAssignmentValueSymbol(parent);
    return symbol && this.target(symbol);
  }

  instanceOf(symbol: Sym): Type {
    return this.checker.getDeclaredTypeOfSymbol(symbol);
  }

  isOptional(symbol: Sym): boolean {
    return this.has(symbol, 'Optional');
  }

  is(node: Node, kind: string): boolean {
    let number = this.#kinds.get(kind);
    if (number === undefined) this.#kinds.set(kind, (number = this.enumerations.SyntaxKind[kind] as number));
    return node.kind === number;
  }

  has(symbol: Sym, flag: string): boolean {
    return (symbol.flags & (this.enumerations.SymbolFlags[flag] as number)) !== 0;
  }

  isA(type: Type, flag: string): boolean {
    if ((type.flags & (this.enumerations.TypeFlags[flag] as number)) !== 0) return true;
    return flag === 'Never' && this.#isReduced(type);
  }

  /** `{ kind: 'a' } & { kind: 'b' }`: compilers keep it as an intersection, and say only that it has no properties. */
  #isReduced(type: Type): boolean {
    if (this.isA(type, 'Union')) return !this.isA(type, 'Boolean') && this.membersOf(type).length === 0;
    if (!this.isA(type, 'Intersection')) return false;
    const hasFields = (one: Type) => this.isA(one, 'Object') && this.propertiesOf(one).length > 0;
    return this.once(
      type,
      'reduced',
      () => this.propertiesOf(type).length === 0 && this.membersOf(type).some(hasFields),
    );
  }

  membersOf(type: Type): readonly Type[] {
    return this.once(type, 'members', () => {
      const members = this.constituents(type);
      // A union of intersections may have members that no value belongs to.
      return this.isA(type, 'Union') ? members.filter((one) => !this.isA(one, 'Never')) : members;
    });
  }

  isError(type: Type): boolean {
    return this.isA(type, 'Any') && (type as { intrinsicName?: string }).intrinsicName !== 'any';
  }

  isArray(type: Type): boolean {
    return this.isA(type, 'Object') && this.once(type, 'array', () => this.checker.isArrayType(type));
  }

  texts(type: Type): readonly string[] {
    return (type as unknown as { texts: readonly string[] }).texts;
  }

  typeArguments(type: Type): readonly Type[] {
    const flags = (type as { objectFlags?: number }).objectFlags ?? 0;
    const isReference =
      this.isA(type, 'Object') && (flags & (this.enumerations.ObjectFlags['Reference'] as number)) !== 0;
    return isReference ? this.checker.getTypeArguments(type) : []; // TypeScript 7.0 crashes on other types
  }

  elementsOf(type: Type): readonly Element[] | undefined {
    if (!this.once(type, 'tuple', () => this.checker.isTupleType(type))) return undefined;
    const flags = this.elementFlags(type);
    return this.typeArguments(type)
      .slice(0, flags.length)
      .map((element, i) => ({ type: element, kind: this.#elementKind(flags[i]!) }));
  }

  #elementKind(flags: number): ElementKind {
    const { Required, Optional } = this.enumerations.ElementFlags;
    if (flags & (Required as number)) return 'required';
    return flags & (Optional as number) ? 'optional' : 'rest';
  }

  propertiesOf(type: Type): readonly Sym[] {
    return this.once(type, 'properties', () => this.checker.getPropertiesOfType(type));
  }

  indexesOf(type: Type): readonly { readonly key: Type; readonly value: Type }[] {
    return this.checker
      .getIndexInfosOfType(type)
      .map((info) => ({ key: info.keyType, value: (info.valueType ?? info.type)! }));
  }

  constraintOf(type: Type): Type | undefined {
    return this.checker.getBaseConstraintOfType(type);
  }

  typeAt(node: Node): Type | undefined {
    return this.checker.getTypeFromTypeNode(node);
  }

  text(type: Type): string {
    return this.once(type, 'text', () => this.checker.typeToString(type));
  }

  calls(type: Type): readonly Signature[] {
    return this.#signatures(type, CALL);
  }

  constructors(type: Type): readonly Signature[] {
    return this.#signatures(type, CONSTRUCT);
  }

  returnOf(signature: Signature): Type {
    return this.checker.getReturnTypeOfSignature(signature)!;
  }
}
