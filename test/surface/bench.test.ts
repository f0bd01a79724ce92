import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

// Without the packages of bench/, which only the other frameworks need.

const exec = promisify(execFile);
const bench = new URL('../../bench/', import.meta.url);

it(proves('bench.compare', 'the line counts are those of the code, and the tasks work with everywire'), async () => {
  await exec(process.execPath, ['compare/run.mjs', '--check'], { cwd: bench });
  const { stderr } = await exec(process.execPath, ['compare/run.mjs', '--only', 'everywire'], { cwd: bench });
  expect(stderr.match(/^everywire, \w+: works$/gm)).toHaveLength(6);
});
