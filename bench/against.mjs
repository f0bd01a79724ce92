import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolder } from './measure/everywire.mjs';
import { sideBySide } from './measure/side-by-side.mjs';
import { median } from './measure/turns.mjs';
import { renderTable } from './report/table.mjs';

const KINDS = ['synchronous', 'async', 'zod'];
const FULL = { processes: 3, rounds: 8, warmup: 20_000, requests: 12_000 };
const QUICK = { processes: 1, rounds: 1, warmup: 500, requests: 500 };

/**
 * Compares this checkout with another one over HTTP: both run at once and take short turns, so that both see the same
 * machine. Separate runs differ by more than most changes do.
 */
export async function measureAgainst(folder, quick) {
  const other = resolve(folder);
  if (!existsSync(join(other, 'dist/index.js'))) throw new Error(`${folder} is not a built checkout of everywire`);
  const settings = quick ? QUICK : FULL;
  const rows = [];
  for (const kind of KINDS) rows.push([kind, ...(await compare([other, packageFolder], kind, settings))]);
  return renderTable({
    caption: `POST /functions/Add: CPU µs/request in ${folder} and here, in turns`,
    head: ['', 'there', 'here', 'here / there'],
    rows,
  });
}

async function compare(folders, kind, settings) {
  const contenders = folders.map((folder) => ({ file: 'against.mjs', args: [folder, kind] }));
  const costs = await sideBySide(contenders, settings);
  const ratios = costs[1].map((cost, i) => cost / costs[0][i]);
  return [...costs.map((each) => median(each).toFixed(1)), median(ratios).toFixed(3)];
}
