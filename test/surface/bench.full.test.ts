import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const exec = promisify(execFile);
const bench = new URL('../../bench/', import.meta.url);
const run = (...args: string[]) => exec(process.execPath, ['run.mjs', ...args], { cwd: bench });

const quick = (...args: string[]) => run('--quick', ...args);

/** A part, the rows of its table, and the cells after the name of each. */
it.each([
  ['in-process', ['the bare function', 'zod, and the function', 'app.call of everywire'], '( +-?[\\d.]+ \\|){3}$'],
  [
    'access',
    ['no access rules', 'rules, a public function', 'an API key', 'a JWT, verified before'],
    '( +[\\d.]+ \\|){4}$',
  ],
  ['workers', ['one process', '--workers auto'], '( +[\\d.,]+ \\|){5} +\\d+ % \\|$'],
  [
    'tasks',
    ['BullMQ alone, Redis', 'everywire, Redis', 'everywire, PostgreSQL', 'everywire, in process'],
    '( +[\\d.,]+ \\|){3}',
  ],
  [
    'types',
    ['zod schemas alone', 'zod schemas, plain functions', 'everywire, functions and client calls'],
    '( +[\\d.,]+ \\|){3}$',
  ],
])('the benchmark measures %s and prints its table', { timeout: 180_000 }, async (part, rows, cells) => {
  const { stdout } = await quick('--only', part);
  expect(stdout).toMatch(/^## /m);
  for (const row of rows) expect(stdout).toMatch(new RegExp(`^\\| ${row} +\\|${cells}`, 'm'));
});

it('the benchmark compares two checkouts', async () => {
  const { stdout } = await quick('--against', '..');
  for (const kind of ['synchronous', 'async', 'zod'])
    expect(stdout).toMatch(new RegExp(`^\\| ${kind} +\\|( +[\\d.]+ \\|){3}$`, 'm'));
  await expect(run('--against', 'contenders')).rejects.toMatchObject({ code: 1 });
});

it('the benchmark refuses a part that it does not have', async () => {
  await expect(run('--only', 'ftp')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('"ftp"') });
});

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
