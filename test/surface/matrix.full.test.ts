import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// `npm run test:matrix`, of one short test: what it says, and how it ends.

const figures = mkdtempSync(join(tmpdir(), 'everywire-figures-'));
afterAll(() => rmSync(figures, { recursive: true }));

let isInstalled: boolean;
beforeAll(() => {
  const versions = ['node@20', 'node@22', 'node@24', 'node@26'];
  const paths = JSON.parse(execFileSync('node', ['scripts/runtimes.mjs', ...versions], { encoding: 'utf8' })) as object;
  isInstalled = Object.keys(paths).length === versions.length || process.env['CI'] === 'true';
}, 300_000);

function matrix(...part: readonly string[]): Promise<{ code: number; lines: string[] }> {
  const env = { ...process.env, EVERYWIRE_FIGURES: figures };
  return new Promise((resolve) => {
    const child = execFile('node', ['scripts/test-matrix.mjs', ...part], { env }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode!, lines: stderr.trim().split('\n').slice(-4) }),
    );
  });
}

describe('the matrix', () => {
  it('ends with the counts of each version, and reports them', async ({ skip }) => {
    if (!isInstalled) skip('scripts/runtimes.mjs could not install every version of Node');
    const { code, lines } = await matrix('test/unit/each-line.test.ts');
    expect(lines).toEqual(
      [20, 22, 24, 26].map((major) => expect.stringMatching(`^Node.js ${major}[\\d.]+: 1 passed, 0 failed$`)),
    );
    expect(code).toBe(0);
    const written = JSON.parse(readFileSync(join(figures, 'matrix.json'), 'utf8')) as { figures: object };
    expect(Object.entries(written.figures).map((entry) => entry.join(': '))).toEqual(lines);
  });

  it('fails where a version fails', async ({ skip }) => {
    if (!isInstalled) skip('scripts/runtimes.mjs could not install every version of Node');
    const { code, lines } = await matrix('node@20', 'node@26', 'test/no/such.test.ts');
    expect(lines.slice(-2)).toEqual(
      [20, 26].map((major) => expect.stringMatching(`^Node.js ${major}[\\d.]+: FAILED, `)),
    );
    expect(code).toBe(1);
  });
});
