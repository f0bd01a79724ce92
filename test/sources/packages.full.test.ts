import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as dateFns from 'date-fns';
import * as toolkit from 'es-toolkit';
import * as radashi from 'radashi';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { silent } from '../kit/functions.ts';
import { compilers } from './read-source.ts';

const inTests = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** Packages that nobody here wrote, and at least so many functions of theirs that are served. */
const packages = [
  { name: 'date-fns', path: inTests('date-fns/index.d.ts'), exports: dateFns, served: 220 },
  { name: 'es-toolkit', path: inTests('es-toolkit/dist/index.d.ts'), exports: toolkit, served: 70 },
  { name: 'radashi', path: inTests('radashi/dist/radashi.d.ts'), exports: radashi, served: 53 },
];

describe.each(packages)('$name', ({ path, exports, served }) => {
  it('is read alike by all compilers, and served', { timeout: 180_000 }, async () => {
    const [first, ...others] = await read(path);
    for (const other of others) expect(other).toEqual(first);
    expect(first!.functions.length).toBeGreaterThan(served);
    // Every other function is accounted for, with a place and a reason of ours.
    for (const { reason, line, source } of first!.refusals) {
      expect(reason).not.toMatch(/compiler failed/);
      expect([line > 0, source.length > 0]).toEqual([true, true]);
    }
    const app = createApp({ name: 'Package', version: '1', log: silent, functions: bindModule(first!, exports) });
    expect(app.functions).toHaveLength(first!.functions.length);
  });
});

async function read(path: string) {
  const described = [];
  for (const { folder } of compilers) described.push((await describeModule(path, { typescript: folder })).description);
  return described;
}

it('calls a function of a package', async () => {
  const { description } = await describeModule(packages[0]!.path, { typescript: compilers[0]!.folder });
  const app = createApp({ name: 'Dates', version: '1', log: silent, functions: bindModule(description, dateFns) });
  const input = { date: '2020-02-28T00:00:00Z', amount: 2 };
  expect(await app.call('addDays', input)).toEqual({ ok: true, data: new Date('2020-03-01T00:00:00Z') });
});

it('the report says how many functions are served, and why others are not', { timeout: 120_000 }, () => {
  const script = fileURLToPath(new URL('../../scripts/read-packages.mjs', import.meta.url));
  const report = execFileSync(process.execPath, [script], { encoding: 'utf8' });
  expect(report).toMatch(/^date-fns: \d+ of \d+ functions served\n +\d+ × /);
  expect(report).toMatch(/^radashi: \d+ of \d+ functions served$/m);
});
