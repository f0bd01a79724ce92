import { modules, type AppName } from '../every-wire.ts';
import { shared } from './broker.ts';

/** The extension of a built file. */
export type Kind = 'mjs' | 'cjs';

/** The file that `everywire build` writes for an app, built on first use, once for all test files. Nobody may change it. */
export function builtApp(name: AppName, kind?: Kind): Promise<string> {
  return builtModule(modules[name], kind);
}

export async function builtModule(module: string, kind: Kind = 'mjs'): Promise<string> {
  return (await shared('built', module, kind)).path;
}
