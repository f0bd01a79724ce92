import { dirname } from 'node:path';
import type { Diagnostic, Node, Program, Signature, SourceFile, Sym, Type } from './program.ts';
import { isLibrary } from './is-library.ts';
import type { RecordedFiles } from './recorded-files.ts';
import { SharedProgram } from './shared-program.ts';
import type { Checker, Enumerations } from './shared-program.ts';

/** What we use of the API of TypeScript 5.9 and 6.0. */
export interface ClassicTypeScript extends Enumerations {
  readonly version: string;
  readonly sys: object;
  getDefaultLibFilePath(options: object): string;
  createCompilerHost(options: object, setParentNodes: boolean): object;
  createSourceFile(path: string, text: string, language: unknown, setParentNodes: boolean): SourceFile;
  createProgram(names: readonly string[], options: object, host: object): ClassicCompiler;
  readConfigFile(path: string, read: (path: string) => string | undefined): { readonly config?: unknown };
  parseJsonConfigFileContent(
    json: unknown,
    host: object,
    folder: string,
    existing: object,
    path: string,
  ): { readonly options: object; readonly fileNames: readonly string[] };
  flattenDiagnosticMessageText(text: unknown, newLine: string): string;
}

interface ClassicCompiler {
  getTypeChecker(): Checker;
  getSourceFile(path: string): SourceFile | undefined;
  getSyntacticDiagnostics(file: SourceFile): readonly ClassicDiagnostic[];
  getSemanticDiagnostics(file: SourceFile): readonly ClassicDiagnostic[];
}

interface ClassicDiagnostic {
  readonly file?: SourceFile;
  readonly start?: number;
  readonly messageText: unknown;
  readonly code: number;
}

/** Libraries that have been read: they do not change, and the next module needs them, too. */
const libraries = new Map<string, SourceFile>();

export function openClassic(ts: ClassicTypeScript, config: string, files: RecordedFiles): Program {
  const seen = {
    ...ts.sys,
    readFile: (path: string) => files.text(path),
    fileExists: (path: string) => files.isFile(path),
    directoryExists: (path: string) => files.isFolder(path),
  };
  const { config: json } = ts.readConfigFile(config, seen.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(json ?? {}, seen, dirname(config), {}, config);
  const folder = dirname(ts.getDefaultLibFilePath(options)).replaceAll('\\', '/');
  const host = {
    ...ts.createCompilerHost(options, true),
    readFile: seen.readFile,
    fileExists: seen.fileExists,
    directoryExists: seen.directoryExists,
    // The default reads files past `readFile`.
    getSourceFile(path: string, language: unknown) {
      const key = isLibrary(path, folder) ? `${path} ${JSON.stringify(language)}` : undefined;
      const known = key === undefined ? undefined : libraries.get(key);
      if (known) return known;
      const text = files.text(path);
      const file = text === undefined ? undefined : ts.createSourceFile(path, text, language, true);
      if (key !== undefined && file) libraries.set(key, file);
      return file;
    },
  };
  return new ClassicProgram(ts, ts.createProgram(fileNames, options, host), folder);
}

class ClassicProgram extends SharedProgram {
  constructor(
    private readonly ts: ClassicTypeScript,
    private readonly program: ClassicCompiler,
    folder: string,
  ) {
    super(ts.version, ts, program.getTypeChecker(), folder);
  }

  sourceFile(path: string): SourceFile | undefined {
    return this.program.getSourceFile(path);
  }

  syntaxErrors(path: string): readonly Diagnostic[] {
    const file = this.sourceFile(path);
    return file ? this.program.getSyntacticDiagnostics(file).map((one) => this.#diagnostic(one, path)) : [];
  }

  errors(path: string): readonly Diagnostic[] {
    const file = this.sourceFile(path);
    return file ? this.program.getSemanticDiagnostics(file).map((one) => this.#diagnostic(one, path)) : [];
  }

  #diagnostic({ file, start = 0, messageText, code }: ClassicDiagnostic, path: string): Diagnostic {
    const text = this.ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0]!;
    return { file: file?.fileName ?? path, start, text, code };
  }

  close(): void {
    // Nothing to end: it runs in this process.
  }

  declarations(symbol: Sym): readonly Node[] {
    return (symbol as { declarations?: readonly Node[] }).declarations ?? [];
  }

  ownDeclarations(symbol: Sym): readonly Node[] | undefined {
    const all = this.declarations(symbol);
    return all.length === 0 ? undefined : all.filter((one) => !this.isLibrary(one.getSourceFile().fileName));
  }

  protected symbolsAtLocations(names: readonly Node[]): readonly (Sym | undefined)[] {
    return names.map((name) => this.checker.getSymbolAtLocation(name));
  }

  aliasOf(type: Type): Sym | undefined {
    return (type as { aliasSymbol?: Sym }).aliasSymbol;
  }

  aliasArguments(type: Type): readonly Type[] {
    return (type as { aliasTypeArguments?: readonly Type[] }).aliasTypeArguments ?? [];
  }

  symbolOf(type: Type): Sym | undefined {
    return (type as { symbol?: Sym }).symbol;
  }

  protected constituents(type: Type): readonly Type[] {
    return (type as { types?: readonly Type[] }).types ?? [];
  }

  literal(type: Type): string | number | boolean | bigint {
    if (this.isA(type, 'BooleanLiteral')) return (type as { intrinsicName?: string }).intrinsicName === 'true';
    const { value } = type as unknown as { value: string | number | { negative: boolean; base10Value: string } };
    return typeof value === 'object' ? BigInt((value.negative ? '-' : '') + value.base10Value) : value;
  }

  parametersOf(signature: Signature): readonly Sym[] {
    return (signature as { parameters?: readonly Sym[] }).parameters ?? [];
  }

  declarationOf(signature: Signature): Node | undefined {
    return (signature as { declaration?: Node }).declaration;
  }

  protected elementFlags(type: Type): readonly number[] {
    return (type as unknown as { target: { elementFlags: readonly number[] } }).target.elementFlags;
  }
}
