import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { behaviours } from '../behaviours/index.ts';
import { queries } from '../behaviours/queries.ts';
import { requests } from '../behaviours/requests.ts';
import { promises } from '../promises.ts';

it('every promise is proved by a behaviour or a test', () => {
  const cited = new Set<string>([...behaviours, ...requests, ...queries].flatMap((behaviour) => behaviour.proves));
  for (const file of testsIn('test')) {
    for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(/proves\(\s*'([\w.-]+)'/g)) cited.add(id);
  }
  expect(Object.keys(promises).filter((id) => !cited.has(id))).toEqual([]);
});

it('no behaviour has the name of another', () => {
  for (const titles of [behaviours, [...requests, ...queries]].map((list) => list.map(({ title }) => title))) {
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  }
});

/** Not in packages, nor in folders of tests that run at the same time: their links lead round in circles. */
function testsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : testsIn(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
