/** A value that was written as a literal. */
export interface Literal {
  readonly value: unknown;
}

/**
 * Reads JSON, or a literal as people write it in examples: quotes of any kind, keys without quotes, trailing commas.
 * Undefined if it is anything else: nothing is evaluated.
 */
export function readLiteral(text: string): Literal | undefined {
  const all = readLiterals(text);
  return all?.length === 1 ? { value: all[0] } : undefined;
}

/** Reads a list of literals, separated by commas. */
export function readLiterals(text: string): readonly unknown[] | undefined {
  try {
    return new Reader(text).list();
  } catch (thrown) {
    if (thrown === NO_LITERAL) return undefined;
    throw thrown;
  }
}

const NO_LITERAL: unique symbol = Symbol('no literal');
const DEEPEST = 20;
const TOKEN =
  /\s*(?:([{}[\]:,])|("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`(?:[^`\\$]|\$(?!\{)|\\[^])*`)|(-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?n?)|([A-Za-z_$][\w$]*))/y;

type Token = { readonly kind: 'sign' | 'string' | 'number' | 'word'; readonly text: string };

class Reader {
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    const trimmed = text.trim();
    while (TOKEN.lastIndex < trimmed.length) {
      const [, sign, string, number, word] = TOKEN.exec(trimmed) ?? fail();
      if (sign !== undefined) this.#tokens.push({ kind: 'sign', text: sign });
      else if (string !== undefined) this.#tokens.push({ kind: 'string', text: string });
      else if (number !== undefined) this.#tokens.push({ kind: 'number', text: number });
      else this.#tokens.push({ kind: 'word', text: word! });
    }
  }

  list(): unknown[] {
    const values: unknown[] = [];
    while (this.#at < this.#tokens.length) {
      values.push(this.#value(0));
      if (this.#at < this.#tokens.length) this.#expect(',');
    }
    return values;
  }

  #value(depth: number): unknown {
    const token = this.#tokens[this.#at++] ?? fail();
    if (depth > DEEPEST) fail();
    if (token.kind === 'string') return unquote(token.text);
    if (token.kind === 'number') return toNumber(token.text);
    if (token.kind === 'word') return WORDS.has(token.text) ? WORDS.get(token.text) : fail();
    if (token.text === '[') return this.#items(depth);
    return token.text === '{' ? this.#fields(depth) : fail();
  }

  #items(depth: number): unknown[] {
    const items: unknown[] = [];
    while (!this.#take(']')) {
      items.push(this.#value(depth + 1));
      if (!this.#take(',') && this.#tokens[this.#at]?.text !== ']') fail();
    }
    return items;
  }

  #fields(depth: number): object {
    const fields: [string, unknown][] = [];
    while (!this.#take('}')) {
      const key = this.#tokens[this.#at++] ?? fail();
      if (key.kind === 'sign') fail();
      this.#expect(':');
      fields.push([key.kind === 'string' ? unquote(key.text) : key.text, this.#value(depth + 1)]);
      if (!this.#take(',') && this.#tokens[this.#at]?.text !== '}') fail();
    }
    return Object.fromEntries(fields);
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) fail();
  }
}

function fail(): never {
  throw NO_LITERAL;
}

const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function toNumber(text: string): number {
  if (text.endsWith('n')) fail();
  return Number(text.replaceAll('_', ''));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

function unquote(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(
      /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[^]))/g,
      (_, long, four, two, other: string) => {
        const hex = (long ?? four ?? two) as string | undefined;
        // A line that goes on.
        if (hex === undefined) return /^[\r\n\u2028\u2029]/.test(other) ? '' : (ESCAPES[other] ?? other);
        const code = Number.parseInt(hex, 16);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : fail();
      },
    );
}
