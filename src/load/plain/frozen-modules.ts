import type { ModuleDescription } from '../../sources/module/description.ts';
import type { ReadModule } from './plain-app.ts';

const frozen = new Map<string, ReadModule>();

/** Called by the first lines of a build, for each module that its app reads with fromModule. */
export function freezeModule(
  name: string,
  description: ModuleDescription,
  exports: Readonly<Record<string, unknown>>,
): void {
  frozen.set(name, [description, exports]);
}

/** A module of this build, by the name of its file: where the file was is unknown here. */
export function frozenModule(name: string): ReadModule | undefined {
  return frozen.get(name);
}
