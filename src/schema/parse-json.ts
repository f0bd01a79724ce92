import { isExact } from './exact-number.ts';

/**
 * A number of a JSON text that JavaScript cannot hold as it was written: an integer beyond 2^53 that would be rounded,
 * a number that would become zero or infinite. It takes the number's place, so that whoever looks at it refuses it
 * instead of working with another number.
 */
export class InexactNumber {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** JSON.parse, except for numbers that it would change. Throws a SyntaxError likewise. */
export function parseJson(text: string): unknown {
  // Few texts have a number of sixteen digits, or one with an exponent that makes it so long. The first look costs a
  // third of the second, which is for texts with something like `4e` in a string.
  if (!RARE.test(text) || !SUSPECT.test(text)) return JSON.parse(text);
  let found = false;
  const MARK = (mark ??= `${crypto.randomUUID()} `);
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) => {
    if (token.startsWith('"') || isExact(token)) return token;
    found = true;
    return JSON.stringify(MARK + token);
  });
  if (!found) return JSON.parse(text);
  JSON.parse(text); // a marked number may stand where none is allowed
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new InexactNumber(value.slice(MARK.length)) : value,
  );
}

const RARE = /\d(?:\d{15}|[eE])/;
const SUSPECT = /\d{16}|\d[eE][+-]?\d\d|[\d.]{7}[eE]\+?\d/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

// No caller knows it, so none can send a string that is taken for a number. Made when it is first needed: Node takes two
// milliseconds to load what makes it.
let mark: string | undefined;
