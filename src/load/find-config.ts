import { existsSync } from 'node:fs';

/** In the order of precedence. */
export const CONFIG_NAMES: readonly string[] = [
  'everywire.config.ts',
  'everywire.config.js',
  'everywire.config.mjs',
  'everywire.config.json',
];

/** The configuration file of the current folder. Every command looks for it, so nothing else is loaded here. */
export function findConfig(resolve: (path: string) => string): string | undefined {
  return CONFIG_NAMES.find((name) => existsSync(resolve(name)));
}
