import { pathToFileURL } from 'node:url';
import { digestOf } from '../digest.ts';
import type { Links } from '../input-states.ts';
import { compileFile } from './compile-file.ts';
import type { CompiledFile } from './compile-file.ts';
import { Resolver } from './resolve-import.ts';
import type { Resolved } from './resolve-import.ts';
import { loadTools } from './tools.ts';
import { Unsupported } from './unsupported.ts';

export interface CompiledGraph {
  /** The name of the file that stands for the module. */
  readonly entry: string;
  /** JavaScript by the name of the file. */
  readonly code: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
  readonly missing: readonly string[];
  readonly links: Links;
}

/** More files than this are left to jiti: what each reaches is computed for each. */
const MAX_FILES = 1000;

/** Compiles a module, given by its real path, and all TypeScript that it imports. Imports lead to absolute places, so that the code can be anywhere. */
export async function compileGraph(entry: string): Promise<CompiledGraph> {
  const tools = await loadTools();
  const resolver = new Resolver(tools.createJiti);
  const files = new Map<string, CompiledFile>();
  const targets = new Map<string, readonly Resolved[]>();
  const waiting = new Set([entry]);
  try {
    for (const path of waiting) {
      if (files.size >= MAX_FILES) throw new Unsupported(`${entry} imports more than ${MAX_FILES} files`);
      const file = compileFile(path, tools, resolver);
      const found = file.imports.map((one) => resolver.resolve(one, path));
      files.set(path, file);
      targets.set(path, found);
      for (const one of found) if ('typescript' in one) waiting.add(one.typescript);
    }
  } catch (error) {
    if (error instanceof Unsupported) {
      error.inputs = [...waiting, ...resolver.inputs];
      error.missing = [...resolver.missing];
    }
    throw error;
  }
  const names = new Map([...files.keys()].map((path) => [path, nameOf(path, files, targets)]));
  return {
    entry: names.get(entry)!,
    code: new Map([...files.values()].map((file) => [names.get(file.path)!, join(file, targets, names)])),
    inputs: [...files.keys(), ...resolver.inputs],
    missing: [...resolver.missing],
    links: [...resolver.links],
  };
}

type Files = ReadonlyMap<string, CompiledFile>;
type Targets = ReadonlyMap<string, readonly Resolved[]>;

/**
 * Named after everything that it reaches, by whichever module it is imported: two modules that import a third one share it, and after a change
 * the files that see the change have other names, so that a process can load them next to the old ones.
 */
function nameOf(path: string, files: Files, targets: Targets): string {
  const reached = new Set([path]);
  const led = [path];
  for (const one of reached) {
    for (const target of targets.get(one)!) {
      if ('typescript' in target) reached.add(target.typescript);
      led.push('typescript' in target ? target.typescript : target.url);
    }
  }
  return `${digestOf([...led, ...[...reached].map((one) => files.get(one)!.digest)].join('\n'))}.mjs`;
}

function join({ path, pieces }: CompiledFile, targets: Targets, names: ReadonlyMap<string, string>): string {
  const specifiers = targets
    .get(path)!
    .map((one) => JSON.stringify('typescript' in one ? `./${names.get(one.typescript)!}` : one.url));
  const code = pieces.map((piece, i) => piece + (specifiers[i] ?? '')).join('');
  // Stack traces then name the source.
  return `${code}\n//# sourceURL=${pathToFileURL(path).href}\n`;
}
