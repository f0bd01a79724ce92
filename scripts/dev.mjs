// Runs the unit tests that a change concerns, on every save, and then builds: `npm run dev`. The tests do not wait for the
// build, since they use src. A path after `--` limits them: `npm run dev -- test/unit/call`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
let builtAt = 0;
let isBuilding = false;

await startVitest('test', process.argv.slice(2), {
  watch: true,
  project: ['unit'],
  reporters: ['default', { onTestRunEnd: () => void build() }],
});

/** Builds unless the last build has seen all of src. What changes during a build is built after it. */
async function build() {
  if (isBuilding) return;
  isBuilding = true;
  for (let changed = lastChange(); changed > builtAt; changed = lastChange()) {
    builtAt = changed;
    const start = performance.now();
    const child = spawn(process.execPath, ['scripts/build.mjs'], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(code === 0 ? `Built in ${seconds} s` : 'NOT BUILT; dist is the last build that succeeded');
  }
  isBuilding = false;
}

function lastChange() {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return Math.max(...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs));
}
