import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly code: string;
}

/** What was seen of the parts when they ran. */
export interface Warm {
  /** What V8 made of them, by name, in base64. */
  readonly caches: Readonly<Record<string, string>>;
  /** Those that a request over CGI needs, which must not wait for anything. */
  readonly urgent: ReadonlySet<string>;
}

const COLD: Warm = { caches: {}, urgent: new Set() };

/**
 * One file of many parts: a loader that runs, and the parts as text in a comment, which costs next to nothing to skip
 * and can still be read and searched.
 */
export function pack(parts: readonly Part[], stamp: string, { caches, urgent }: Warm = COLD): string {
  const all: string[] = [];
  const places: Record<string, number[]> = {};
  let fromEnd = END.length;
  const put = (text: string): [fromEnd: number, length: number] => {
    all.unshift(text);
    fromEnd += text.length;
    return [fromEnd, text.length];
  };
  for (const { name, code } of parts) {
    const imports = /\bimport\(/.test(code);
    // Node 20 loses who imports, and from where, when it takes what was made before.
    const cache = imports ? undefined : caches[name];
    // All of the file is read at every start, so that what is not urgent should be short.
    const isSqueezed = urgent.size > 0 && !urgent.has(name) && code.length > SQUEEZED_FROM;
    const texts = [isSqueezed ? squeeze(Buffer.from(code)) : hide(code)];
    if (cache !== undefined) texts.push(isSqueezed ? squeeze(Buffer.from(cache, 'base64')) : cache);
    places[name] = [Number(imports), Number(isSqueezed), ...texts.flatMap((text) => put(`\n${text}`))];
  }
  const loader = readFileSync(new URL('loader.js', import.meta.url), 'utf8').replace(/^\s*\/[/*].*\n/gm, '');
  const head = `const PLACES = ${JSON.stringify(places)};\n${loader}`;
  return `${begin(stamp)}${head}/*${all.join('')}${END}`;
}

const END = '\n*/\n';
const SQUEEZED_FROM = 10_000;
const squeeze = (bytes: Buffer) => deflateRawSync(bytes).toString('base64');

/** A module that is all of it: where the app waits for something while it loads, nothing can be left for later. */
export function packModule(parts: readonly Part[], stamp: string): string {
  return begin(stamp) + parts.map(({ code }) => code).join('');
}

const begin = (stamp: string) => `#!/usr/bin/env node\n${stamp}\n`;

/**
 * Text that does not end the comment it stands in, and has nothing but ASCII: a single letter more would make V8 keep all
 * of the file in two bytes a letter. loader.ts puts back what is hidden.
 */
function hide(code: string): string {
  return code.replaceAll(/\*\/|[^\t\n\r -~]/g, (found) =>
    found === '*/' ? '\x7f!' : `\x7f${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
