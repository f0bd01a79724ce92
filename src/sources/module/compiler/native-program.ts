import { dirname } from 'node:path';
import type { Diagnostic, Node, Program, Signature, SourceFile, Sym, Type } from './program.ts';
import type { RecordedFiles } from './recorded-files.ts';
import { SharedProgram } from './shared-program.ts';
import type { Checker, Enumerations } from './shared-program.ts';

/** What we use of the API of TypeScript 7. */
export interface NativeTypeScript extends Enumerations {
  readonly version: string;
  readonly API: new (options: object) => NativeApi;
  /** The folder of the libraries: they are next to the program. */
  readonly libraries: string;
}

interface NativeApi {
  updateSnapshot(parameters: { openProjects: string[] }): { getProject(config: string): NativeProject | undefined };
  close(): void;
  readonly client?: { readonly channel?: { readonly child?: { kill?: (signal?: 'SIGKILL') => void } } };
}

interface NativeProject {
  readonly checker: Checker;
  readonly program: {
    getSourceFile(path: string): SourceFile | undefined;
    getSyntacticDiagnostics(path: string): readonly NativeDiagnostic[];
    getSemanticDiagnostics(path: string): readonly NativeDiagnostic[];
  };
}

interface NativeDiagnostic {
  readonly fileName?: string;
  readonly pos: number;
  readonly text: string;
  readonly code: number;
}

/** Takes many nodes with one message. */
interface NativeChecker {
  getSymbolAtLocation(nodes: readonly Node[]): readonly (Sym | undefined)[];
}

interface Handle {
  readonly path: string;
  resolve(): Node | undefined;
}

interface NativeType extends Type {
  getSymbol(): Sym | undefined;
  getAliasSymbol(): Sym | undefined;
  getAliasTypeArguments(): readonly Type[];
  getTypes(): readonly Type[] | undefined;
  getTarget(): Type & { readonly elementFlags?: readonly number[] };
  readonly value: string | number | boolean | bigint | { readonly negative: boolean; readonly base10Value: string };
}

interface NativeSignature extends Signature {
  readonly declaration?: Handle;
  getParameters(): readonly Sym[];
}

export function openNative(ts: NativeTypeScript, config: string, files: RecordedFiles): Program {
  const api = new ts.API({
    cwd: dirname(config),
    fs: {
      readFile: (path: string) => files.text(path) ?? null,
      fileExists: (path: string) => files.isFile(path),
      directoryExists: (path: string) => files.isFolder(path),
    },
  });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error('TypeScript could not open the module');
    return new NativeProgram(ts, project, api);
  } catch (error) {
    end(api);
    throw error;
  }
}

/** Asked to end, the process may say "context canceled" on our stderr. It holds nothing that it could lose. */
function end(api: NativeApi): void {
  const child = api.client?.channel?.child;
  const kill = child?.kill?.bind(child);
  if (child && kill) child.kill = () => kill('SIGKILL');
  api.close();
}

class NativeProgram extends SharedProgram {
  constructor(
    ts: NativeTypeScript,
    private readonly project: NativeProject,
    private readonly api: NativeApi,
  ) {
    super(ts.version, ts, project.checker, ts.libraries);
  }

  sourceFile(path: string): SourceFile | undefined {
    return this.project.program.getSourceFile(path);
  }

  syntaxErrors(path: string): readonly Diagnostic[] {
    return this.project.program.getSyntacticDiagnostics(path).map((one) => toDiagnostic(one, path));
  }

  errors(path: string): readonly Diagnostic[] {
    return this.project.program.getSemanticDiagnostics(path).map((one) => toDiagnostic(one, path));
  }

  close(): void {
    end(this.api);
  }

  declarations(symbol: Sym): readonly Node[] {
    const handles = (symbol as unknown as { declarations?: readonly Handle[] }).declarations ?? [];
    return handles.map((handle) => handle.resolve()).filter((node) => node !== undefined);
  }

  ownDeclarations(symbol: Sym): readonly Node[] | undefined {
    const handles = (symbol as unknown as { declarations?: readonly Handle[] }).declarations ?? [];
    if (handles.length === 0) return undefined;
    // A library is never resolved here: its whole syntax tree would be sent.
    const own = handles.filter(({ path }) => !this.isLibrary(path));
    return own.map((handle) => handle.resolve()).filter((node) => node !== undefined);
  }

  protected symbolsAtLocations(names: readonly Node[]): readonly (Sym | undefined)[] {
    const checker = this.checker as unknown as NativeChecker;
    return checker.getSymbolAtLocation(names);
  }

  aliasOf(type: Type): Sym | undefined {
    return this.once(type, 'alias', () => (type as NativeType).getAliasSymbol());
  }

  aliasArguments(type: Type): readonly Type[] {
    return (type as NativeType).getAliasTypeArguments();
  }

  symbolOf(type: Type): Sym | undefined {
    return this.once(type, 'symbol', () => (type as NativeType).getSymbol());
  }

  protected constituents(type: Type): readonly Type[] {
    return (type as NativeType).getTypes() ?? [];
  }

  literal(type: Type): string | number | boolean | bigint {
    const { value } = type as NativeType;
    return typeof value === 'object' ? BigInt((value.negative ? '-' : '') + value.base10Value) : value;
  }

  parametersOf(signature: Signature): readonly Sym[] {
    return (signature as NativeSignature).getParameters();
  }

  declarationOf(signature: Signature): Node | undefined {
    return (signature as NativeSignature).declaration?.resolve();
  }

  protected elementFlags(type: Type): readonly number[] {
    return (type as NativeType).getTarget().elementFlags ?? []; // an empty tuple has none
  }
}

function toDiagnostic({ fileName, pos, text, code }: NativeDiagnostic, path: string): Diagnostic {
  return { file: fileName ?? path, start: pos, text: text.split('\n')[0]!, code };
}
