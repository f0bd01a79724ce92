import type { Environment, Variables } from '../core/context.ts';
import type { FileStore } from '../core/files.ts';
import { createFiles } from './files.ts';

/** What functions can access through their context. */
export interface EnvironmentOptions {
  /** The variables of `context.env`. One that is undefined, as in `{ DB_FILE: process.env.DB_FILE }`, is absent. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The files of `context.files`, created with `createFiles`. */
  readonly files?: FileStore | undefined;
}

export function createEnvironment({ env = {}, files = createFiles([]) }: EnvironmentOptions): Environment {
  return { env: createVariables(env), files };
}

const isPresent = (entry: readonly [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

/** Only the given variables. */
function createVariables(variables: Readonly<Record<string, string | undefined>>): Variables {
  return {
    get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
    list: () => Object.fromEntries(Object.entries(variables).filter(isPresent)),
  };
}
