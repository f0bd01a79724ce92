// Run after every change of dependencies: `node scripts/complete-lock.mjs`, with the folder of the lock if it is not this
// one. npm leaves packages for other platforms out of the lock if the registry at hand does not have them, and `npm ci`
// then refuses the lock everywhere. This puts them back, and removes the host of that registry.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OS = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]);
const CPU = {
  arm: 'arm',
  arm64: 'arm64',
  x64: 'x64',
  ia32: 'ia32',
  loong64: 'loong64',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
};
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

const file = join(process.argv[2] ?? '.', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = [];

for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || !/^\d/.test(version)) continue;
    lock.packages[path] = { version, ...platform(name), ...(dev && { dev }), optional: true };
    added.push(name);
  }
}

// A package that does not come from a registry, such as a link, stays where it is.
for (const entry of Object.values(lock.packages)) {
  if (entry.integrity && /^https?:/.test(entry.resolved ?? '')) delete entry.resolved;
}

const entries = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(entries);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'The lock is complete.' : `Put back ${added.length}: ${added.join(', ')}`);

/** `@oxlint/binding-linux-x64-musl` says what it is for. */
function platform(name) {
  const words = name.split(/[/-]/);
  const pick = (known) =>
    words
      .map((word) => known[word])
      .filter(Boolean)
      .slice(0, 1);
  const os = words.filter((word) => OS.has(word));
  const cpu = pick(CPU);
  const libc = os[0] === 'linux' ? pick(LIBC) : [];
  return { ...(cpu[0] && { cpu }), ...(libc[0] && { libc }), ...(os[0] && { os }) };
}
