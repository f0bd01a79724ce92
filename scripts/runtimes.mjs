// Installs runtimes that the tests run the command with, from npm, into .cache/runtimes, once. Prints their paths as JSON;
// one that cannot be had is left out. `node scripts/runtimes.mjs node@22 bun@1`. With --installed, none is installed.
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const { platform, arch } = process;

/** The package that brings a binary for this machine, and where the binary is in it. */
const PACKAGES = {
  node: [`node-${platform}-${arch}`, 'bin/node'],
  bun: [`@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`, 'bin/bun'],
  workerd: [`@cloudflare/workerd-${platform}-${arch === 'x64' ? '64' : arch}`, 'bin/workerd'],
  deno: [`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`, 'deno'],
};

const folder = fileURLToPath(new URL('../.cache/runtimes', import.meta.url));

const isInstalling = !process.argv.includes('--installed');
const wanted = process.argv.slice(2).filter((name) => name !== '--installed');
const paths = await Promise.all(wanted.map(install));
console.log(JSON.stringify(Object.fromEntries(wanted.map((name, i) => [name, paths[i]]))));

async function install(runtime) {
  const [name, version] = runtime.split('@');
  const [packageName, inside] = PACKAGES[name];
  const home = join(folder, runtime);
  const path = join(home, 'node_modules', packageName, inside);
  if (!isInstalling && !existsSync(path)) return undefined;
  try {
    if (!existsSync(path)) await installWhole(`${packageName}@${version}`, home, path);
    chmodSync(path, 0o755);
    return path;
  } catch (error) {
    console.error(
      `${runtime} cannot be installed: ${String(error.stderr || error.message)
        .trim()
        .split('\n')
        .at(-1)}`,
    );
    return undefined; // and so left out
  }
}

/** Elsewhere first: another process may install the same at the same time, or this one may end halfway. */
async function installWhole(spec, home, path) {
  mkdirSync(folder, { recursive: true });
  const begun = mkdtempSync(`${home}.`);
  try {
    await promisify(execFile)('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', begun, spec]);
    if (existsSync(path)) return;
    rmSync(home, { recursive: true, force: true });
    chmodSync(begun, 0o755); // web servers run it as another user
    renameSync(begun, home);
  } finally {
    rmSync(begun, { recursive: true, force: true });
  }
}
