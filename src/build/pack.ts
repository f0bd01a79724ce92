import { readFileSync } from 'node:fs';

export interface Part {
  readonly name: string;
  readonly code: string;
}

/** What V8 made of parts by name, in base64. */
export type Caches = Readonly<Record<string, string>>;

/**
 * One file of many parts: a loader that runs, and the parts as text in a comment, which costs next to nothing to skip
 * and can still be read and searched.
 */
export function pack(parts: readonly Part[], stamp: string, caches: Caches = {}): string {
  const texts: string[] = [];
  const places: Record<string, number[]> = {};
  let fromEnd = END.length;
  const put = (text: string): [fromEnd: number, length: number] => {
    texts.unshift(text);
    fromEnd += text.length;
    return [fromEnd, text.length];
  };
  for (const { name, code } of parts) {
    const imports = /\bimport\(/.test(code);
    // Node 20 loses who imports, and from where, when it takes what was made before.
    const cache = imports ? undefined : caches[name];
    places[name] = [...put(`\n${hide(code)}`), Number(imports), ...(cache === undefined ? [] : put(cache))];
  }
  const loader = readFileSync(new URL('loader.js', import.meta.url), 'utf8').replace(/^\s*\/[/*].*\n/gm, '');
  const head = `const PLACES = ${JSON.stringify(places)};\n${loader}`;
  return `${begin(stamp)}${head}/*${texts.join('')}${END}`;
}

const END = '\n*/\n';

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
