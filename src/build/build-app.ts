import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { App } from '../app.ts';
import { ModuleError } from '../hosts/module-error.ts';
import { loadSource } from '../hosts/load-app.ts';
import { isBuilt, preparedPath, stampOf } from '../hosts/prepared.ts';
import { pack, packModule } from './pack.ts';
import { warm } from './warm.ts';
import { writeWhole } from './write-whole.ts';

export interface Built {
  readonly path: string;
  readonly app: App;
  readonly bytes: number;
}

/** Writes a module and all it needs as one file that is a command, a CGI script and a module. */
export async function buildApp(module: string, out: string | undefined): Promise<Built> {
  const { bundle } = await findBundler();
  if (isBuilt(module)) throw new ModuleError(`${module} is a build already; name the module that it was made of`);
  const { app, path: source, exportName } = await loadSource(module);
  const path = resolve(out ?? preparedPath(source));
  if (path === source) throw new ModuleError(`${module} would be overwritten; choose another file with --out`);
  const { parts, isModule, inputs } = await bundle(source, exportName, app);
  if (existsSync(path) && inputs.includes(realpathSync(path)))
    throw new ModuleError(`${relative('', path)} is a part of it and would be overwritten; choose another with --out`);
  const stamp = stampOf(source, dirname(path), inputs);
  let text = isModule ? packModule(parts, stamp) : pack(parts, stamp);
  await writeWhole(path, text, 0o755);
  if (!isModule) {
    text = pack(parts, stamp, await warm(path));
    await writeWhole(path, text, 0o755);
  }
  return { path, app, bytes: Buffer.byteLength(text) };
}

async function findBundler(): Promise<typeof import('./bundle.ts')> {
  try {
    return await import('./bundle.ts');
  } catch {
    throw new ModuleError('building needs rolldown, which is not installed; npm install --save-dev rolldown');
  }
}
