import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import { BUILT } from '../leaves-nothing.ts';
import { run } from './cli.ts';

const built = new Map<string, Promise<string>>();

/** The file that `everywire build` writes for an app, built on first use, once for all test files. Nobody may change it. */
export function builtApp(name: AppName, kind?: Kind): Promise<string> {
  return builtModule(modules[name], kind);
}

/** The extension of a built file. */
export type Kind = 'mjs' | 'cjs';

export function builtModule(module: string, kind: Kind = 'mjs'): Promise<string> {
  const path = join(tmpdir(), BUILT, `${module.replaceAll(/[^\w]/g, '-')}.${kind}`);
  let made = built.get(path);
  if (!made) built.set(path, (made = buildOnce(module, path, kind)));
  return made;
}

/** Test files run in processes of their own: whoever makes the folder builds, the others wait. */
async function buildOnce(module: string, path: string, kind: Kind): Promise<string> {
  for (const building = `${path}.building`; !existsSync(path); await sleep(100)) {
    if (!isMade(building)) continue;
    try {
      // Another one may have finished in between.
      if (!existsSync(path)) await build(module, join(building, `app.${kind}`), path);
    } finally {
      rmdirSync(building);
    }
  }
  return path;
}

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function build(module: string, unfinished: string, path: string): Promise<void> {
  const { stderr, code } = await run(['dist/bin/everywire.js', 'build', module, '--out', unfinished]);
  if (code !== 0) throw new Error(`${module} was not built: ${stderr}`);
  renameSync(unfinished, path);
}
