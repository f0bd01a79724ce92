import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModuleDescription } from '../../sources/module/description.ts';
import { readRecord, writeRecord } from '../cache-record.ts';
import { areUnchanged, recordInputs } from '../input-states.ts';
import type { InputStates } from '../input-states.ts';
import { ModuleError } from '../module-error.ts';

interface DescriptionRecord {
  readonly description: ModuleDescription;
  readonly inputs: InputStates;
}

const KIND = 'descriptions';

export interface Described {
  readonly description: ModuleDescription;
  /** The files that it was read from. */
  readonly inputs: readonly string[];
}

/** What is in a module. The compiler is loaded only if something that it would read has changed. */
export async function describeCached(module: string): Promise<Described> {
  const path = realpathSync(module);
  const kept = readRecord(KIND, path) as DescriptionRecord | undefined;
  if (kept && areUnchanged(kept.inputs))
    return { description: kept.description, inputs: kept.inputs.files.map(([file]) => file) };
  const began = Date.now();
  const { describeModule } = await import('../../sources/module/describe-module.ts');
  const { description, inputs, compiler } = await describeModule(path).catch(withoutCompiler);
  // Another version of the compiler may read something else. Its libraries belong to it, and are no inputs.
  const files = [...new Set([path, ...inputs.files, join(compiler.folder, 'package.json')])];
  const missing = [...new Set([...inputs.missed, ...nearerCompilers(path, compiler.folder)])];
  const states = recordInputs(files, missing, began, [...inputs.links]);
  if (states) writeRecord(KIND, path, { description, inputs: states });
  return { description, inputs: files };
}

/** Where the compiler of the module's project would be, if it had one that is nearer. */
function nearerCompilers(path: string, folder: string): readonly string[] {
  const paths: string[] = [];
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, 'node_modules/typescript');
    if (candidate === folder) break;
    paths.push(candidate);
  }
  return paths;
}

async function withoutCompiler(error: unknown): Promise<never> {
  const { NoCompiler } = await import('../../sources/module/compiler/find-compiler.ts');
  throw error instanceof NoCompiler ? new ModuleError(error.message) : error;
}
