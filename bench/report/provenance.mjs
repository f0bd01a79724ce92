import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { commit, version } from 'everywire';

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Our package.json names exact versions, and not every package lets its own be read. */
export const versionOf = (name) => dependencies[name];

/** When, where and with what something was measured. */
export function provenance(packages) {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown CPU'}`,
    versions: [
      `Node ${process.versions.node}`,
      `everywire ${version} (${commit})`,
      ...packages.map((name) => `${name} ${versionOf(name)}`),
    ],
  };
}
