// Reads TypeScript that nobody here wrote: `node scripts/read-packages.mjs` prints how many functions of each package could be
// served, and why each other one could not; `--names` with their names.
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const { describeModule } = await createJiti(import.meta.url, { fsCache: false }).import(
  '../src/sources/module/describe-module.ts',
);

const PACKAGES = ['date-fns/index.d.ts', 'es-toolkit/dist/index.d.ts', 'radashi/dist/radashi.d.ts'];
const typescript = fileURLToPath(new URL('../node_modules/typescript', import.meta.url));
const withNames = process.argv.includes('--names');

for (const name of PACKAGES) {
  const path = fileURLToPath(new URL(`../test/node_modules/${name}`, import.meta.url));
  const { description } = await describeModule(path, { typescript });
  const { functions, refusals } = description;
  console.log(`${name.split('/')[0]}: ${functions.length} of ${functions.length + refusals.length} functions served`);
  for (const [reason, names] of [...byReason(refusals)].toSorted(([, a], [, b]) => b.length - a.length)) {
    console.log(`  ${String(names.length).padStart(3)} × ${reason}${withNames ? `\n        ${names.join(', ')}` : ''}`);
  }
}

/** Reasons that differ in a name only are one. */
function byReason(refusals) {
  const reasons = new Map();
  for (const { name, reason } of refusals) {
    const kind = reason
      .replaceAll(/"[^"]*"/g, '"…"')
      .replace(/^.* can be any type.*$/, 'T can be any type; give it a constraint')
      .replace(/has \d+ overloads/, 'has several overloads');
    reasons.set(kind, [...(reasons.get(kind) ?? []), name]);
  }
  return reasons;
}
