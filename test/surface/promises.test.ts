import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { behaviours } from '../behaviours/index.ts';
import { queries } from '../behaviours/queries.ts';
import { requests } from '../behaviours/requests.ts';
import { promises } from '../promises.ts';

it('every promise is proved by a behaviour or a test', () => {
  const cited = new Set<string>([...behaviours, ...requests, ...queries].flatMap((behaviour) => behaviour.proves));
  for (const file of readdirSync('test', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.test.ts')) continue;
    for (const [, id = ''] of readFileSync(join('test', file), 'utf8').matchAll(/proves\(\s*'([\w.-]+)'/g))
      cited.add(id);
  }
  expect(Object.keys(promises).filter((id) => !cited.has(id))).toEqual([]);
});

it('no behaviour has the name of another', () => {
  for (const titles of [behaviours, [...requests, ...queries]].map((list) => list.map(({ title }) => title))) {
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  }
});
