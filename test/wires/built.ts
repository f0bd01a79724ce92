import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import { run } from './cli.ts';

const built = new Map<string, Promise<string>>();
const folder = mkdtempSync(join(tmpdir(), 'everywire-built-'));

/** An app as `everywire build` writes it, built when first asked for. */
export function builtApp(name: AppName): Promise<string> {
  let path = built.get(name);
  if (!path) built.set(name, (path = build(name)));
  return path;
}

async function build(name: AppName): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.mjs`);
  const { stderr, code } = await run(['dist/bin/everywire.js', 'build', modules[name], '--out', path]);
  if (code !== 0) throw new Error(`${name} was not built: ${stderr}`);
  return path;
}
