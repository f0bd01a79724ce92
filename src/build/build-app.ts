import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import type { App } from '../app.ts';
import { ModuleError } from '../hosts/module-error.ts';
import { loadSource } from '../hosts/load-app.ts';
import { preparedPath, stampOf } from '../hosts/prepared.ts';
import { bundle } from './bundle.ts';
import { pack } from './pack.ts';

export interface Built {
  readonly path: string;
  readonly app: App;
  readonly bytes: number;
}

/** Writes a module and all it needs as one file that is a command, a CGI script and a module. */
export async function buildApp(module: string, out: string | undefined): Promise<Built> {
  await findBundler();
  const { app, path: source, exportName } = await loadSource(module);
  const path = resolve(out ?? preparedPath(source));
  if (path === source) throw new ModuleError(`${module} would be overwritten; choose another file with --out`);
  const { parts, inputs } = await bundle(source, exportName, app);
  const stamp = stampOf(
    basename(source),
    inputs.map((input) => relative(dirname(path), input)),
  );
  const text = pack(parts, stamp);
  await writeWhole(path, text);
  return { path, app, bytes: Buffer.byteLength(text) };
}

async function findBundler(): Promise<void> {
  try {
    await import('rolldown');
  } catch {
    throw new ModuleError('building needs rolldown, which is not installed; npm install --save-dev rolldown');
  }
}

/** A server may start the old file at any moment, and must never find half of the new one. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, text);
    await chmod(temporary, 0o755);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new ModuleError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}
