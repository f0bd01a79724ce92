import { readFileSync } from 'node:fs';

export interface Part {
  readonly name: string;
  readonly code: string;
}

/**
 * One file of many parts: a loader that runs, and the parts as text in a comment, which costs next to nothing to skip
 * and can still be read and searched.
 */
export function pack(parts: readonly Part[], stamp: string): string {
  const texts = parts.map(({ name, code }) => ({ name, text: `\n${hideEnds(code)}` }));
  const end = '\n*/\n';
  const places: Record<string, readonly [fromEnd: number, length: number]> = {};
  let fromEnd = Buffer.byteLength(end);
  for (const { name, text } of texts.toReversed()) {
    const length = Buffer.byteLength(text);
    fromEnd += length;
    places[name] = [fromEnd, length];
  }
  const loader = readFileSync(new URL('loader.js', import.meta.url), 'utf8').replace(/^\/\/.*\n/gm, '');
  const head = `const PLACES = ${JSON.stringify(places)};\n${loader}`;
  return `${begin(stamp)}${head}/*${texts.map(({ text }) => text).join('')}${end}`;
}

/** A module that is all of it: where the app waits for something while it loads, nothing can be left for later. */
export function packModule(parts: readonly Part[], stamp: string): string {
  return begin(stamp) + parts.map(({ code }) => code).join('');
}

const begin = (stamp: string) => `#!/usr/bin/env node\n${stamp}\n`;

/** The end of a comment, as it stands within one; loader.ts puts it back. DEL is in nobody's code as it is. */
const HIDDEN = '*\x7f/';

function hideEnds(code: string): string {
  if (code.includes(HIDDEN)) throw new Error('a part holds what stands for the end of a comment');
  return code.replaceAll('*/', HIDDEN);
}
