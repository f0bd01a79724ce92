import { isExact } from './exact-number.ts';

/** Identifies them also if another copy of this package has read them: the command may be one, and the app use the other. */
const INEXACT: unique symbol = Symbol.for('everywire.inexact-number') as never;

/**
 * A JSON number that JavaScript cannot represent as written: an integer beyond 2^53 that would be rounded, or a number
 * that would become zero or infinite. It takes the number's place, so that checks reject it instead of silently
 * accepting a different number.
 */
export class InexactNumber {
  readonly [INEXACT] = true;

  constructor(readonly text: string) {}

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && INEXACT in value;
  }

  toString(): string {
    return this.text;
  }
}

/** Like JSON.parse, but returns an InexactNumber for every number that it would change. Throws a SyntaxError too. */
export function parseJson(text: string): unknown {
  // Few texts contain a number of sixteen digits, or one with an exponent that makes it as long. The first test takes a
  // third of the time of the second, which is for texts with something like `4e` in a string.
  if (!RARE.test(text) || !SUSPECT.test(text)) return JSON.parse(text);
  let found = false;
  const MARK = (mark ??= `${crypto.getRandomValues(new Uint32Array(4)).join('-')} `);
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    found = true;
    return JSON.stringify(MARK + token);
  });
  if (!found) return JSON.parse(text);
  JSON.parse(text); // throws if the original is invalid: a marked number is a valid key, a number is not
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new InexactNumber(value.slice(MARK.length)) : value,
  );
}

const RARE = /\d(?:\d{15}|[eE])/;
const SUSPECT = /\d{16}|\d[eE][+-]?\d\d|[\d.]{7}[eE]\+?\d/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

// Random, so that no caller can send a string that is mistaken for a number. Created on first use: Node needs two
// milliseconds to load its random generator. Not a UUID, which browsers make for pages of HTTPS only.
let mark: string | undefined;
