// Compiles src to dist and stamps the version and commit that the banner shows.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

rmSync(`${root}dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', root], { stdio: 'inherit' });
// The compiler reads what is no TypeScript, and leaves it where it is.
for (const file of ['library.cjs', 'library.d.cts']) cpSync(`${root}src/schema/${file}`, `${root}dist/schema/${file}`);
writeFileSync(
  `${root}dist/version.js`,
  `export const version = ${JSON.stringify(version)};\nexport const commit = ${JSON.stringify(commit())};\n`,
);
chmodSync(`${root}dist/bin/everywire.js`, 0o755);

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  } catch {
    return 'unknown'; // a tarball, or a checkout before its first commit
  }
}
