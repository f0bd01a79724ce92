import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build, type BuildResult } from 'esbuild';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import type { Running } from './project.ts';

/** A folder with everywire as it is published, which no configuration of this repository reaches. */
export function installedFolder(): string {
  const folder = temporaryFolder('installed');
  const installed = join(folder, 'node_modules/everywire');
  mkdirSync(installed, { recursive: true });
  cpSync('package.json', join(installed, 'package.json'));
  cpSync('dist', join(installed, 'dist'), { recursive: true });
  for (const name of ['@modelcontextprotocol/server', '@standard-schema/spec']) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  cpSync('test/embedding/app.js', join(folder, 'app.js'));
  return folder;
}

/** Bundles a module of a folder with esbuild. Nothing may stay outside, and nothing may be worth a warning. */
export async function bundle(folder: string, code: string, conditions: string[]): Promise<BuildResult> {
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, code);
  return build({
    entryPoints: [entry],
    outfile: join(folder, 'bundle.js'),
    absWorkingDir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions,
    metafile: true,
    logLevel: 'silent',
  });
}

/** Runs `bundle.js` of a folder in workerd. */
export async function startWorker(
  workerd: string,
  folder: string,
  date: string,
): Promise<Running & { readonly url: string }> {
  writeFileSync(join(folder, 'config.capnp'), configOf(date));
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (log += text));
  const ended = once(child, 'close');
  const port = await new Promise<number>((found, failed) => {
    child.once('error', failed);
    child.once('exit', () => failed(new Error(log)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => found((JSON.parse(text) as { port: number }).port));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const configOf = (date: string) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "bundle.js")],
    bindings = [(name = "GREETING", text = "hi"), (name = "SETTINGS", json = "{\\"a\\":1}")],
    compatibilityDate = "${date}",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
