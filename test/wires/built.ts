import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import { run } from './cli.ts';

const built = new Map<string, Promise<string>>();
const folder = mkdtempSync(join(tmpdir(), 'everywire-built-'));

/** An app as `everywire build` writes it, built when first asked for. */
export function builtApp(name: AppName): Promise<string> {
  return builtModule(modules[name]);
}

export function builtModule(module: string): Promise<string> {
  let path = built.get(module);
  if (!path) built.set(module, (path = build(module)));
  return path;
}

async function build(module: string): Promise<string> {
  const path = join(folder, `${module.replaceAll(/[^\w]/g, '-')}.mjs`);
  const { stderr, code } = await run(['dist/bin/everywire.js', 'build', module, '--out', path]);
  if (code !== 0) throw new Error(`${module} was not built: ${stderr}`);
  return path;
}
