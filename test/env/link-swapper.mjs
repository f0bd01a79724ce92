// Replaces a folder and a file by links and back, as fast as possible, until it is killed.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , mount, outside] = process.argv;
const at = (name) => join(mount, name);

/** The other process may have replaced or removed any of them. */
function makeAll() {
  for (const name of ['swap', 'swap-folder', 'swap-link', 'file', 'file-real', 'file-link'])
    rmSync(at(name), { recursive: true, force: true });
  mkdirSync(at('swap-folder'));
  writeFileSync(at('swap-folder/secret'), 'inside');
  symlinkSync(outside, at('swap-link'));
  writeFileSync(at('file-real'), 'inside');
  symlinkSync(join(outside, 'secret'), at('file-link'));
}

function swapAll() {
  for (const [folder, file] of [
    ['swap-folder', 'file-real'],
    ['swap-link', 'file-link'],
  ]) {
    renameSync(at(folder), at('swap'));
    renameSync(at(file), at('file'));
    renameSync(at('swap'), at(folder));
    renameSync(at('file'), at(file));
  }
}

function survive(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

survive(makeAll);
process.stdout.write('ready\n');
for (;;) if (!survive(swapAll)) survive(makeAll);
