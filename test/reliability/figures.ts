import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What one suite counted or measured. `docs/reliability.md` is generated from these. */
export type Figures = Readonly<Record<string, number | string>>;

/**
 * Prints the figures of a suite on one line. If EVERYWIRE_FIGURES names a folder, they are also written there as
 * `<name>.json`, for `scripts/document-reliability.mjs`.
 */
export function report(name: string, figures: Figures): void {
  const listed = Object.entries(figures).map(([label, figure]) => `${label} ${spell(figure)}`);
  console.log(`${name}: ${listed.join(', ')}`);
  const folder = process.env['EVERYWIRE_FIGURES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ name, figures }, null, 2)}\n`);
}

function spell(figure: number | string): string {
  return typeof figure === 'number' ? figure.toLocaleString('en') : figure;
}
