import { existsSync } from 'node:fs';

const NAMES = ['everywire.config.ts', 'everywire.config.js', 'everywire.config.mjs', 'everywire.config.json'];

/** The configuration file of the current folder. Every command looks for it, so nothing else is loaded here. */
export function findConfig(): string | undefined {
  return NAMES.find((name) => existsSync(name));
}
