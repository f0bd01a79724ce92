import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sections } from '../sections/index.mjs';
import { draw } from './draw.mjs';

const file = (path) => new URL(`../${path}`, import.meta.url);
const RESULTS = file('results.json');

/** Keeps what was measured; sections that were not measured now stay as they were. */
export function save(measured) {
  const results = { ...load(), ...measured };
  const names = Object.keys(sections).filter((name) => results[name]);
  const inOrder = Object.fromEntries(names.map((name) => [name, results[name]]));
  writeFileSync(RESULTS, `${JSON.stringify(inOrder, rounded, 2)}\n`);
  redraw();
}

export function redraw() {
  mkdirSync(file('charts'), { recursive: true });
  for (const [path, content] of Object.entries(draw(load()))) writeFileSync(file(path), content);
}

/** Digits that the next run would not repeat are left out. */
const rounded = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

function load() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
}
