// Installs what only some commands need: `node scripts/install.mjs test bench`. Each of these folders has a lock of its
// own, so that `npm ci` stays small; none of them lists everywire, which they find in the node_modules above: this build.
// Does nothing if the lock is the one that was installed last.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// Two at a time: one npm alone neither keeps the network busy nor the processor.
const folders = process.argv.slice(2);
await Promise.all([installRest(), installRest()]);

async function installRest() {
  for (let name = folders.shift(); name !== undefined; name = folders.shift()) await install(join(root, name), name);
}

async function install(folder, name) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules/.installed-lock');
  if (lock === read(stamp)) return;
  console.error(`Installing the packages of ${name}/`);
  // stdout belongs to whatever runs next. At this level npm does not warn about Node versions, which are known: some
  // of these tools want a newer one than we do, and run on ours.
  const npm = spawn('npm', ['ci', '--workspaces=false', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  const [code] = await once(npm, 'exit');
  if (code !== 0) {
    console.error(`The packages of ${name}/ could not be installed`);
    process.exitCode = 1;
    folders.length = 0; // what is under way may finish
    return;
  }
  writeFileSync(stamp, lock);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
