/** A type of the compiler. What it is like is asked of the program. */
export interface Type {
  readonly flags: number;
  readonly id: number;
}

export interface Sym {
  readonly name: string;
  readonly flags: number;
}

export interface Signature {
  readonly '~signature'?: true;
}

/** A node of the syntax tree: what we read of it, whichever kind it is. */
export interface Node {
  readonly kind: number;
  readonly pos: number;
  readonly end: number;
  readonly parent?: Node;
  readonly name?: Node;
  readonly text?: string;
  readonly type?: Node;
  readonly types?: readonly Node[];
  readonly typeName?: Node;
  readonly typeArguments?: readonly Node[];
  readonly typeParameters?: readonly Node[];
  readonly elementType?: Node;
  readonly elements?: readonly Node[];
  readonly members?: readonly Node[];
  readonly parameters?: readonly Node[];
  readonly properties?: readonly Node[];
  readonly modifiers?: readonly Node[];
  readonly arguments?: readonly Node[];
  readonly expression?: Node;
  readonly operand?: Node;
  readonly operator?: number;
  readonly propertyName?: Node;
  readonly initializer?: Node;
  readonly body?: Node;
  readonly questionToken?: Node;
  readonly dotDotDotToken?: Node;
  readonly asteriskToken?: Node;
  forEachChild<T>(visit: (node: Node) => T | undefined): T | undefined;
  getStart(): number;
  getSourceFile(): SourceFile;
}

export interface SourceFile extends Node {
  readonly fileName: string;
  readonly text: string;
}

/** A problem that the compiler found. */
export interface Diagnostic {
  readonly file: string;
  readonly start: number;
  readonly text: string;
  readonly code: number;
}

export type ElementKind = 'required' | 'optional' | 'rest';

/** What a tuple consists of. */
export interface Element {
  readonly type: Type;
  readonly kind: ElementKind;
}

/**
 * What the reader asks of a compiler. TypeScript 5.9 and 6.0 answer in this process, 7.0 in a process of its own, so that
 * each question costs a message.
 */
export interface Program {
  readonly version: string;
  /** Whether only the libraries of the language were read: a type that is `any` may be something else. */
  lacksLibraries: boolean;
  /** Whether a file is one of the libraries that come with the compiler. */
  isLibrary(path: string): boolean;
  sourceFile(path: string): SourceFile | undefined;
  syntaxErrors(path: string): readonly Diagnostic[];
  errors(path: string): readonly Diagnostic[];
  /** Ends the process, if there is one. */
  close(): void;

  exportsOf(symbol: Sym | SourceFile): readonly Sym[];
  /** The symbol itself, or what it is another name of. */
  target(symbol: Sym): Sym;
  declarations(symbol: Sym): readonly Node[];
  /** The declarations outside of the compiler's libraries. Undefined if there is no declaration at all. */
  ownDeclarations(symbol: Sym): readonly Node[] | undefined;
  typeOf(symbol: Sym): Type;
  /** The symbol that a name in the source stands for. */
  symbolAt(name: Node): Sym | undefined;
  /** Like `symbolAt` for many names, with one message. */
  symbolsAt(names: readonly Node[]): readonly (Sym | undefined)[];
  /** What a name in an expression stands for, also in `{ name }`. */
  valueAt(name: Node): Sym | undefined;
  /** The type of the objects of a class. */
  instanceOf(symbol: Sym): Type;
  isOptional(symbol: Sym): boolean;

  is(node: Node, kind: string): boolean;
  has(symbol: Sym, flag: string): boolean;
  isA(type: Type, flag: string): boolean;
  isError(type: Type): boolean;
  isArray(type: Type): boolean;
  symbolOf(type: Type): Sym | undefined;
  aliasOf(type: Type): Sym | undefined;
  aliasArguments(type: Type): readonly Type[];
  /** Of a union, an intersection or a template literal. */
  membersOf(type: Type): readonly Type[];
  literal(type: Type): string | number | boolean | bigint;
  /** The parts of a template literal between its types. */
  texts(type: Type): readonly string[];
  typeArguments(type: Type): readonly Type[];
  /** Undefined if it is no tuple. */
  elementsOf(type: Type): readonly Element[] | undefined;
  propertiesOf(type: Type): readonly Sym[];
  indexesOf(type: Type): readonly { readonly key: Type; readonly value: Type }[];
  constraintOf(type: Type): Type | undefined;
  typeAt(node: Node): Type | undefined;
  text(type: Type): string;

  calls(type: Type): readonly Signature[];
  constructors(type: Type): readonly Signature[];
  parametersOf(signature: Signature): readonly Sym[];
  returnOf(signature: Signature): Type;
  declarationOf(signature: Signature): Node | undefined;
}
