import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeModule, type DescribedModule } from '../../src/sources/module/describe-module.ts';
import { formatRefusal } from '../../src/sources/module/format-refusal.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The compilers that a project may have. `npm test` uses the one of this project. */
export const compilers = [
  { version: '7.0', folder: folder('../../node_modules/typescript') },
  { version: '6.0', folder: folder('../node_modules/typescript-6.0') },
  { version: '5.9', folder: folder('../node_modules/typescript-5.9') },
].slice(0, size(1, 3));

interface Source extends DescribedModule {
  /** Where the files are. */
  readonly folder: string;
}

/** The packages of types that modules in folders of their own see. */
export const NODE_TYPES = folder('../../node_modules/@types');

/** Writes files into a folder of their own, where `types` are installed, and reads the first. */
export async function readSource(
  files: Readonly<Record<string, string>>,
  typescript?: string,
  types?: string,
): Promise<Source> {
  const root = realpathSync(temporaryFolder('source', files));
  if (types !== undefined) {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    symlinkSync(types, join(root, 'node_modules/@types'));
  }
  const module = join(root, Object.keys(files)[0]!);
  return { ...(await describeModule(module, typescript === undefined ? {} : { typescript })), folder: root };
}

/** The names of the functions that are served, and the first lines about the others. */
export function outcomeOf({ description }: DescribedModule): { served: string[]; refused: string[] } {
  const { functions, refusals } = description;
  return {
    served: functions.map(({ name }) => name),
    refused: refusals.map((one) => formatRefusal(one).split('\n')[0]!),
  };
}
