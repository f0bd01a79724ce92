import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one suite counted or measured. `docs/reliability.md` is generated from these. */
export type Figures = Readonly<Record<string, number | string>>;

/**
 * If EVERYWIRE_FIGURES names a folder, the figures of a suite are written there as `<name>.json`, for
 * `scripts/document-reliability.mjs`, and printed on one line.
 */
export function report(name: string, figures: Figures): void {
  const folder = process.env['EVERYWIRE_FIGURES'];
  if (!folder) return;
  const listed = Object.entries(figures).map(([label, figure]) => `${label} ${figure.toLocaleString('en')}`);
  console.log(`${name}: ${listed.join(', ')}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ name, figures }, null, 2)}\n`);
}
