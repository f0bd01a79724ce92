import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as everywire from 'everywire';
import * as node from 'everywire/node';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, it } from 'vitest';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

it('exports these names and no others', () => {
  expect(Object.keys(everywire).toSorted()).toEqual([
    'AppError',
    'Failure',
    'codes',
    'commit',
    'createApp',
    'defaultLimits',
    'defineFunction',
    'forms',
    'isApp',
    'version',
  ]);
  expect(Object.keys(node).toSorted()).toEqual(['loadApp', 'serve']);
  expect(everywire.version).toBe(version);
});

it('is a package that publint finds nothing wrong with', async () => {
  const { messages, pkg } = await publint({ level: 'suggestion' });
  // Where the repository lives is not decided yet.
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
});

it('packs what users need and nothing else', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const tops = new Set(packed.files.map(({ path }) => path.split('/')[0]));
  expect([...tops].toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
});
