import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

// docs/expectations.md: every row leads to a section that exists and to a test that runs.

const page = readFileSync('docs/expectations.md', 'utf8').split('\n## What there is not')[0]!;
const rows = [...page.matchAll(/^\| (?!expected|---)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** The targets of the links in a cell, as paths in the repository. */
const linksIn = (cell = '') =>
  [...cell.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)].map(([, path = '', anchor]) => ({
    path: join('docs', path),
    anchor,
  }));

/** As GitHub makes them of headings. */
const anchorsIn = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('has many rows of four cells', () => {
  expect(rows.length).toBeGreaterThan(50);
  for (const row of rows) expect(row, row[0]).toHaveLength(4);
});

describe.each(rows)(proves('docs.expectations', '%s'), (_expected, _here, pages, tests) => {
  it('leads to a section', () => {
    const links = linksIn(pages);
    expect(links).toHaveLength(1);
    for (const { path, anchor } of links) {
      expect(existsSync(path), path).toBe(true);
      if (anchor !== undefined) expect(anchorsIn(path), path).toContain(anchor);
    }
  });

  it('leads to a test', () => {
    const links = linksIn(tests);
    expect(links.length).toBeGreaterThan(0);
    for (const { path } of links) {
      expect(path).toMatch(/\.test\.ts$|^test\/types\//);
      expect(existsSync(path), path).toBe(true);
    }
  });
});
