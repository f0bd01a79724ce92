import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { App } from '../app/app.ts';
import { ModuleError } from '../load/module-error.ts';
import type { Bundle } from './bundle.ts';
import { loadSource } from '../load/load-app.ts';
import { isBuilt, preparedPath, rememberBuild, stamp } from '../load/fresh-build.ts';
import type { Part } from './pack.ts';
import { cachesOf, groupsOf } from './code-cache.ts';
import { writeWhole } from './write-whole.ts';

export interface Built {
  readonly path: string;
  readonly app: App;
  readonly bytes: number;
}

/** Writes a module and all it needs as one file that is a command, a CGI script and a module. */
export async function buildApp(
  module: string,
  out: string | undefined,
  whileLoading: <T>(name: string, load: () => Promise<T>) => Promise<T>,
): Promise<Built> {
  const { bundle, pack, packModule } = await findBundler();
  if (isBuilt(module)) throw new ModuleError(`${module} is a build already; name the module that it was made of`);
  const began = Date.now();
  const { app, path: source, exportName } = await whileLoading(module, () => loadSource(module));
  const path = resolve(out ?? preparedPath(source));
  if (path === source) throw new ModuleError(`${module} would be overwritten; choose another file with --out`);
  const { parts, isModule, inputs } = await bundle(source, exportName);
  if (isModule && path.endsWith('.cjs'))
    throw new ModuleError(
      `${module} waits for something while it loads, which only a module can; choose an .mjs with --out`,
    );
  if (existsSync(path) && inputs.includes(realpathSync(path)))
    throw new ModuleError(`${relative('', path)} is a part of it and would be overwritten; choose another with --out`);
  const text = isModule
    ? packModule(parts, stamp)
    : await packWarm(pack, parts, (together) => bundle(source, exportName, together), path);
  await writeWhole(path, text, 0o755);
  if (path === preparedPath(source)) rememberBuild(source, inputs, began);
  return { path, app, bytes: Buffer.byteLength(text) };
}

/** Packed three times: to see what is needed together, to see what V8 makes of that, and with both. */
async function packWarm(
  pack: Bundler['pack'],
  parts: readonly Part[],
  bundleTogether: (modules: ReadonlySet<string>) => Promise<Bundle>,
  path: string,
): Promise<string> {
  const kind = path.endsWith('.cjs') ? 'commonjs' : 'module';
  await writeWhole(path, pack(parts, stamp, kind), 0o755);
  const groups = await groupsOf(path, parts);
  const { parts: grouped } = await bundleTogether(groups[0]);
  await writeWhole(path, pack(grouped, stamp, kind, { groups, caches: {} }), 0o755);
  return pack(grouped, stamp, kind, { groups, caches: await cachesOf(path) });
}

type Bundler = typeof import('./bundle.ts') & typeof import('./pack.ts');

async function findBundler(): Promise<Bundler> {
  try {
    return { ...(await import('./bundle.ts')), ...(await import('./pack.ts')) };
  } catch {
    throw new ModuleError('building needs rolldown, which is not installed; npm install --save-dev rolldown');
  }
}
