import type { Environment, Variables } from '../core/context.ts';
import type { FileStore } from '../core/files.ts';
import { createFiles } from './files.ts';

/** What functions can access through their context. */
export interface EnvironmentOptions {
  /** The variables of `context.env`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The files of `context.files`, created with `createFiles`. */
  readonly files?: FileStore | undefined;
}

export function createEnvironment({ env = {}, files = createFiles([]) }: EnvironmentOptions): Environment {
  return { env: createVariables(env), files };
}

/** Only the given variables. */
function createVariables(variables: Readonly<Record<string, string>>): Variables {
  return {
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    list: () => ({ ...variables }),
  };
}
