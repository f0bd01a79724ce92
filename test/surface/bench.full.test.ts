import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const exec = promisify(execFile);
const bench = new URL('../../bench/', import.meta.url);
const run = (...args: string[]) => exec(process.execPath, ['run.mjs', ...args], { cwd: bench });

it('the benchmark measures a part and prints its table', async () => {
  const { stdout } = await run('--quick', '--only', 'in-process');
  expect(stdout).toMatch(/^## In process$/m);
  for (const name of ['the bare function', 'zod, and the function', 'app.call of everywire']) {
    expect(stdout).toMatch(new RegExp(`^\\| ${name} +\\|( +-?[\\d.]+ \\|){3}$`, 'm'));
  }
});

it('the benchmark measures what access rules cost', { timeout: 180_000 }, async () => {
  const { stdout } = await run('--quick', '--only', 'access');
  for (const name of ['no access rules', 'rules, a public function', 'an API key', 'a JWT, verified before']) {
    expect(stdout).toMatch(new RegExp(`^\\| ${name} +\\|( +[\\d.]+ \\|){4}$`, 'm'));
  }
});

it('the benchmark measures several processes', async () => {
  const { stdout } = await run('--quick', '--only', 'workers');
  for (const name of ['one process', '--workers auto'])
    expect(stdout).toMatch(new RegExp(`^\\| ${name} +\\|( +[\\d.,]+ \\|){5} +\\d+ % \\|$`, 'm'));
});

it('the benchmark measures tasks', { timeout: 180_000 }, async () => {
  const { stdout } = await run('--quick', '--only', 'tasks');
  for (const name of ['BullMQ alone, Redis', 'everywire, Redis', 'everywire, PostgreSQL', 'everywire, in process'])
    expect(stdout).toMatch(new RegExp(`^\\| ${name} +\\|( +[\\d.,]+ \\|){3}`, 'm'));
});

it('the benchmark compares two checkouts', async () => {
  const { stdout } = await run('--quick', '--against', '..');
  for (const kind of ['synchronous', 'async', 'zod']) {
    expect(stdout).toMatch(new RegExp(`^\\| ${kind} +\\|( +[\\d.]+ \\|){3}$`, 'm'));
  }
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
