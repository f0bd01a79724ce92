import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { observe, render } from './matrix/matrix.ts';
import type { Matrix } from './matrix/matrix.ts';

let matrix: Matrix;
beforeAll(async () => void (matrix = await observe()), 240_000);

it(proves('access.matrix', 'every wire decides alike, whatever is presented'), () => {
  const rows = [...matrix.functions, ...matrix.others];
  const different = rows.flatMap(({ presented: { title, code }, seen }) =>
    Object.entries(seen)
      .filter(([, cell]) => cell && cell.code !== code)
      .map(([wire, cell]) => `${title}, ${wire}: ${cell!.code} ${cell!.sign}`),
  );
  expect(different).toEqual([]);
  expect(rows.flatMap(({ seen }) => Object.values(seen)).filter(Boolean).length).toBeGreaterThan(200);
});

it(proves('access.matrix', 'what is refused fails in the language of each wire, and nothing else does'), () => {
  for (const { presented, seen } of [...matrix.functions, ...matrix.others]) {
    for (const [wire, cell] of Object.entries(seen)) {
      if (!cell) continue;
      const isAllowed = ['ok', '200', 'result', 'exit 0'].includes(cell.sign);
      expect(isAllowed, `${presented.title}, ${wire}`).toBe(presented.code === undefined);
    }
  }
});

it(proves('access.matrix', 'docs/access.md has the matrix'), () => {
  expect(readFileSync('docs/access.md', 'utf8')).toContain(`\n\n${render(matrix)}\n\n`);
});
