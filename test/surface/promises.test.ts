import { expect, it } from 'vitest';
import { behaviours } from '../behaviours/index.ts';
import { queries } from '../behaviours/queries.ts';
import { requests } from '../behaviours/requests.ts';
import { provedBy } from '../kit/proved-by.ts';

it('every promise is proved by a test of npm test', () => {
  expect(provedBy().filter(({ usual }) => usual.length === 0)).toEqual([]);
});

it('no behaviour has the name of another', () => {
  for (const titles of [behaviours, [...requests, ...queries]].map((list) => list.map(({ title }) => title))) {
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([]);
  }
});
