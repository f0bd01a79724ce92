import { importRolldown } from '#optional';
import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import type { App } from '../app/app.ts';
import { ModuleError } from '../load/module-error.ts';
import { collectUsed } from '../load/plain/used-modules.ts';
import type { Bundle } from './bundle.ts';
import { appEntry, plainEntry } from './entry.ts';
import { loadSource } from '../load/load-app.ts';
import type { NamedModule } from '../load/load-app.ts';
import type { Part } from './pack.ts';
import { createCaches, findGroups, runTrials } from './code-cache.ts';
import { copyExternals, findInstalled } from './externals.ts';
import type { External } from './externals.ts';
import type { TrialFile } from './code-cache.ts';
import { commit, version } from '../version.ts';
import { writeOutputFile } from './write-output-file.ts';

const MARK = '// everywire build ';

/** The second line of a built file. */
const STAMP = `${MARK}${version} ${commit}`;

export interface BuildOptions {
  readonly out?: string | undefined;
  /** Packages that stay outside, in addition to those that cannot be bundled. */
  readonly external?: readonly string[];
  /** Whether the packages that stay outside are copied beside the file. */
  readonly copyExternals?: boolean;
}

export interface Built {
  readonly path: string;
  readonly app: App;
  readonly bytes: number;
  /** The packages that the file needs beside it. */
  readonly externals: readonly External[];
}

/** Bundles a module and its dependencies into one file that is a command, a CGI script and a module, and starts it once. */
export async function buildApp(
  named: NamedModule,
  { out, external = [], copyExternals: isCopying = false }: BuildOptions,
  whileLoading: <T>(name: string, load: () => Promise<T>) => Promise<T>,
): Promise<Built> {
  const { bundle, sourceOf, pack, packModule } = await findBundler();
  const { shown: module } = named;
  if (isBuilt(named.path))
    throw new ModuleError(`${module} is a build already; build the module that it was made from`);
  const [{ app, path: source, from }, used] = await collectUsed(() => whileLoading(module, () => loadSource([named])));
  const path = out ?? `${source.replace(/\.[cm]?[jt]sx?$/, '')}.built.mjs`;
  if (path === source) throw new ModuleError(`${module} would be overwritten; choose another file with --out`);
  const entry = typeof from === 'string' ? appEntry(source, from, used) : plainEntry(from);
  const whole = sourceOf(source, entry, used, external);
  const { parts, isModule, inputs } = await bundle(whole);
  if (isModule && path.endsWith('.cjs'))
    throw new ModuleError(
      `${module} uses top-level await, or a package that can only be imported, which CommonJS lacks; choose an .mjs file with --out`,
    );
  if (existsSync(path) && inputs.includes(realpathSync(path)))
    throw new ModuleError(
      `${relative('', path)} is one of its sources and would be overwritten; choose another file with --out`,
    );
  const outside = whole.externals.all;
  if (isCopying) copyExternals(outside, dirname(path));
  const trial = { path: trialPath(path, source, outside), shown: path };
  try {
    const text = isModule
      ? await packAndTry(packModule(parts, STAMP), trial)
      : await packWithCaches(pack, parts, (together) => bundle(whole, together), trial);
    await writeOutputFile(path, text, 0o755);
    return { path, app, bytes: Buffer.byteLength(text), externals: outside.filter(({ isOptional }) => !isOptional) };
  } finally {
    rmSync(trial.path, { force: true });
  }
}

/** In the folder of the output, where the app finds its files; but beside the module if packages are only found there. */
function trialPath(path: string, module: string, externals: readonly External[]): string {
  const isInstalled = externals.every(
    ({ name, isOptional }) => isOptional || findInstalled(name, dirname(path)) !== undefined,
  );
  const extension = extname(path);
  const name = `${basename(path, extension)}-${crypto.randomUUID()}${extension}`;
  return join(dirname(isInstalled ? path : module), name);
}

async function packAndTry(text: string, trial: TrialFile): Promise<string> {
  await writeOutputFile(trial.path, text, 0o755, trial.shown);
  await runTrials(trial);
  return text;
}

/** Whether `everywire build` wrote a file. */
function isBuilt(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(256);
      const [, line = ''] = bytes.toString('latin1', 0, readSync(file, bytes)).split('\n', 2);
      return line.startsWith(MARK);
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // missing or unreadable
  }
}

/** Packs three times: to find out which modules are loaded together, to create the code cache, and with both. */
async function packWithCaches(
  pack: Bundler['pack'],
  parts: readonly Part[],
  bundleTogether: (modules: ReadonlySet<string>) => Promise<Bundle>,
  trial: TrialFile,
): Promise<string> {
  const { path, shown } = trial;
  const kind = path.endsWith('.cjs') ? 'commonjs' : 'module';
  await writeOutputFile(path, pack(parts, STAMP, kind), 0o755, shown);
  const groups = await findGroups(trial, parts);
  const { parts: grouped } = await bundleTogether(groups[0]);
  await writeOutputFile(path, pack(grouped, STAMP, kind, { groups, caches: {} }), 0o755, shown);
  return pack(grouped, STAMP, kind, { groups, caches: await createCaches(trial) });
}

type Bundler = typeof import('./bundle.ts') & typeof import('./pack.ts');

async function findBundler(): Promise<Bundler> {
  try {
    await importRolldown();
    return { ...(await import('./bundle.ts')), ...(await import('./pack.ts')) };
  } catch {
    throw new ModuleError('build needs rolldown, which is not installed: npm install --save-dev rolldown');
  }
}
