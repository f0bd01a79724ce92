// Before `npm pack` and `npm publish`: builds, and takes the scripts out of package.json, since none of what they run is packed. npm
// would warn about `prepare` when it installs the package from a file. `--restore`, afterwards: puts package.json back.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const MANIFEST = 'package.json';
const BACKUP = 'node_modules/.package.json';

if (process.argv.includes('--restore')) restore();
else {
  execFileSync('npm', ['run', 'build'], { stdio: ['ignore', process.stderr.fd, 'inherit'] });
  const whole = readFileSync(MANIFEST, 'utf8');
  mkdirSync('node_modules', { recursive: true });
  write(BACKUP, whole);
  write(MANIFEST, packed(whole));
}

/** Leaves a package.json that was edited in the meantime. */
function restore() {
  if (!existsSync(BACKUP)) return;
  const whole = readFileSync(BACKUP, 'utf8');
  if (readFileSync(MANIFEST, 'utf8') === packed(whole)) write(MANIFEST, whole);
  rmSync(BACKUP);
}

function packed(whole) {
  const { scripts: _, ...rest } = JSON.parse(whole);
  return `${JSON.stringify(rest, null, 2)}\n`;
}

/** Whole or not at all: other processes read package.json. */
function write(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
