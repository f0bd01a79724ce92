import { join } from 'node:path';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './cli.ts';

const built = new Map<string, Promise<string>>();
const folder = temporaryFolder('built');

/** The file that `everywire build` writes for an app, built on first use. */
export function builtApp(name: AppName, kind?: Kind): Promise<string> {
  return builtModule(modules[name], kind);
}

/** The extension of a built file. */
export type Kind = 'mjs' | 'cjs';

export function builtModule(module: string, kind: Kind = 'mjs'): Promise<string> {
  const path = join(folder, `${module.replaceAll(/[^\w]/g, '-')}.${kind}`);
  let made = built.get(path);
  if (!made) built.set(path, (made = build(module, path)));
  return made;
}

async function build(module: string, path: string): Promise<string> {
  const { stderr, code } = await run(['dist/bin/everywire.js', 'build', module, '--out', path]);
  if (code !== 0) throw new Error(`${module} was not built: ${stderr}`);
  return path;
}
