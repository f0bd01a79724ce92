import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { command, type Ran } from '../kit/command.ts';

export const everywire = resolve('dist/bin/everywire.js');

/** Runs `everywire init` in a folder, without a terminal. */
export function init(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return command(['init', ...args], { cwd });
}

/** The paths of all files in a folder, with slashes. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .toSorted();
}

export function jsonIn(...path: readonly string[]): any {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/** What every project has. */
export const filesOf = (name: string) => [
  '.gitignore',
  'README.md',
  'package.json',
  `src/${name}.ts`,
  `test/${name}.test.ts`,
  'tsconfig.json',
];
