import { readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCompiler } from './compiler/find-compiler.ts';
import type { Compiler } from './compiler/find-compiler.ts';
import type { Program } from './compiler/program.ts';
import { configPath, findProjectFile, virtualFiles } from './compiler/project-config.ts';
import type { Libraries } from './compiler/project-config.ts';
import { RecordedFiles } from './compiler/recorded-files.ts';
import { hasUnknownNames, resolutionsOf } from './compiler/resolutions.ts';
import type { Resolution } from './compiler/resolutions.ts';
import type { ModuleDescription } from './description.ts';
import { readModule } from './read/read-module.ts';
import type { ReadModule } from './read/read-module.ts';
import { toRefusal } from './read/refused.ts';

export interface DescribeOptions {
  /** The folder of the package `typescript`; by default that of the module's project, or else the one next to everywire. */
  readonly typescript?: string;
}

/** What a description depends on: it stays true while all files are the same, none of the missed ones exists, and links stay. */
interface ModuleInputs {
  readonly files: readonly string[];
  readonly missed: readonly string[];
  readonly links: Map<string, string>;
}

export interface DescribedModule {
  readonly description: ModuleDescription;
  readonly inputs: ModuleInputs;
  readonly compiler: { readonly version: string; readonly folder: string };
  /** Which file each import of the module and of its own imports means, as the compiler resolves it. */
  readonly resolutions: readonly Resolution[];
}

/**
 * Reads the signatures, types and comments of the functions that a module exports, without running it. Throws `NoCompiler`
 * if there is no compiler.
 */
export async function describeModule(path: string, options: DescribeOptions = {}): Promise<DescribedModule> {
  const modulePath = realpathSync(resolve(path)).replaceAll('\\', '/');
  const compiler = await findCompiler(modulePath, options.typescript);
  const first = mayNeedAll(modulePath) ? undefined : read(modulePath, compiler, 'language');
  const isComplete = first && !first.isIncomplete;
  const { description, inputs, resolutions } = isComplete ? first : read(modulePath, compiler, 'all');
  return { description, inputs, resolutions, compiler: { version: compiler.version, folder: compiler.folder } };
}

/** Whether a module names what is not in the libraries of the language, so that reading it without would be in vain. */
function mayNeedAll(modulePath: string): boolean {
  return /\bfrom\s*['"]node:/.test(readFileSync(modulePath, 'utf8'));
}

type Described = ReadModule & Pick<DescribedModule, 'inputs' | 'resolutions'>;

function read(modulePath: string, compiler: Compiler, libraries: Libraries): Described {
  const config = configPath(modulePath);
  const looker = new RecordedFiles();
  const projectFile = findProjectFile(modulePath, looker);
  const files = new RecordedFiles(virtualFiles(modulePath, projectFile, libraries));
  const program = compiler.open(config, files);
  program.lacksLibraries = libraries === 'language';
  try {
    const described = readFile(program, modulePath);
    const inputs = {
      files: [...files.read].filter((file) => !program.isLibrary(file)).toSorted(),
      missed: [...new Set([...looker.missed, ...files.missed])].toSorted(),
      // If a file is gone that was found, but not read, imports may mean another one.
      links: new Map([...looker.links, ...files.links, ...[...files.found].filter(([path]) => !files.read.has(path))]),
    };
    return { ...described, inputs };
  } finally {
    program.close();
  }
}

function readFile(program: Program, modulePath: string): Omit<Described, 'inputs'> {
  const file = program.sourceFile(modulePath);
  if (!file) throw new Error(`TypeScript cannot read ${modulePath}`);
  const mistakes = program.syntaxErrors(modulePath);
  if (mistakes.length > 0) {
    const refusals = mistakes.map(({ text, start }) => toRefusal('', text, file, start, modulePath));
    return { description: { functions: [], refusals }, isIncomplete: false, resolutions: [] };
  }
  if (program.lacksLibraries && hasUnknownNames(program, file))
    return { description: { functions: [], refusals: [] }, isIncomplete: true, resolutions: [] };
  const { found, areIncomplete } = resolutionsOf(program, file);
  const { description, isIncomplete } = readModule(program, file, modulePath);
  return { description, isIncomplete: isIncomplete || areIncomplete, resolutions: found };
}
