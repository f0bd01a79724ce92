import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../kit/command.ts';

/** Writes the files that the README and the tutorial say to save. */
export function saveReadme(folder: string): void {
  for (const page of ['README.md', 'docs/tutorial.md']) {
    const blocks = readFileSync(page, 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n([^]*?)^```/gm);
    for (const [, name = '', source = ''] of blocks) writeFileSync(join(folder, name), source);
  }
}

/** Expects that the command and every entry of the package say in one sentence that this version of Node is too old. */
export async function expectTooOld(node: (...args: readonly string[]) => Promise<Ran>, version: string): Promise<void> {
  const sentence = `everywire needs Node\\.js 20\\.19 or later, not ${version}`;
  const command = await node('dist/bin/everywire.js', 'call', 'examples/calculator/app.ts', 'Add');
  expect(command).toMatchObject({ code: 1, stdout: '' });
  expect(command.stderr).toMatch(new RegExp(`^error: ${sentence}\\n$`));
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, { default?: string }>;
  };
  const entries = Object.entries(exports).flatMap(([entry, { default: file }]) =>
    file ? [entry.replace('.', 'everywire')] : [],
  );
  expect(entries.length).toBeGreaterThan(8);
  const source = entries.map(
    (entry) => `await import('${entry}').then(() => console.log('loaded'), (e) => console.log(e.message));`,
  );
  const { stdout } = await node('--input-type=module', '-e', source.join('\n'));
  expect(stdout.trim().split('\n')).toEqual(entries.map(() => expect.stringMatching(`^${sentence}$`)));
}
