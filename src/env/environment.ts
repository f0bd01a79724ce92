import type { Environment, Variables } from '../core/context.ts';
import type { FileStore } from '../core/files.ts';
import { createFiles } from './files.ts';

/** What functions may reach of the host through their context. */
export interface EnvironmentOptions {
  /** The variables of `context.env`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The files of `context.files`, as `createFiles` makes them. */
  readonly files?: FileStore | undefined;
}

export function createEnvironment({ env = {}, files = createFiles([]) }: EnvironmentOptions): Environment {
  return { env: createVariables(env), files };
}

/** Variables that were given, and no others. */
function createVariables(given: Readonly<Record<string, string>>): Variables {
  return { get: (name) => (Object.hasOwn(given, name) ? given[name] : undefined), list: () => ({ ...given }) };
}
