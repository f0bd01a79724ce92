import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

// Without the packages of bench/, which only the other frameworks need.

const exec = promisify(execFile);
const bench = new URL('../../bench/', import.meta.url);

it('the report and the charts of the benchmark are those of its results', async () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { draw } from './report/draw.mjs';
    console.log(JSON.stringify(draw(JSON.parse(readFileSync('results.json', 'utf8')))));`;
  const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', program], { cwd: bench });
  for (const [path, content] of Object.entries(JSON.parse(stdout))) {
    expect(readFileSync(new URL(path, bench), 'utf8'), path).toBe(content);
  }
});

it(proves('bench.compare', 'the line counts are those of the code, and the tasks work with everywire'), async () => {
  await exec(process.execPath, ['compare/run.mjs', '--check'], { cwd: bench });
  const { stderr } = await exec(process.execPath, ['compare/run.mjs', '--only', 'everywire'], { cwd: bench });
  expect(stderr.match(/^everywire, \w+: works$/gm)).toHaveLength(6);
});
