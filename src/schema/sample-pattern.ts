/** Characters that are tried for a class, those that read best first. */
const ALPHABET = Array.from('aA1b2c3-_ .,:/@#+=x0zZ9é\n');

/**
 * A string that a regular expression matches, as far as it is simple: literals, classes, groups, alternatives, quantifiers.
 * Lookaround adds nothing, and names of groups are unknown, so callers must check the string. `extra` repeats what may be
 * repeated more often; `variant` chooses other characters of classes.
 */
export function sampleOfPattern(pattern: string, extra = 0, variant = 0): string | undefined {
  try {
    return new Sampler(pattern, extra, variant).alternatives();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Unsupported extends Error {}

/** Longer repetitions are not tried. */
const MAX_REPEATED = 200;
/** Nested groups. */
const MAX_DEPTH = 50;

class Sampler {
  #at = 0;
  #depth = 0;
  /** What the groups have taken, in the order of their parentheses. */
  readonly #groups: string[] = [];

  constructor(
    readonly pattern: string,
    readonly extra: number,
    readonly variant: number,
  ) {}

  /** Samples the first alternative, and reads the others. */
  alternatives(): string {
    if (++this.#depth > MAX_DEPTH) throw new Unsupported();
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    this.#depth--;
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#at < this.pattern.length && !/[|)]/.test(this.pattern[this.#at]!)) text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const atom = this.#atom();
    const [found, symbol, least = '', comma, most = ''] = this.#match(/([*+?])\??|\{(\d+)(,)?(\d*)\}\??/y) ?? [];
    if (found === undefined) return atom;
    const low = symbol === undefined ? Number(least) : symbol === '+' ? 1 : 0;
    const high = symbol === '?' ? 1 : symbol !== undefined || (comma && most === '') ? Infinity : Number(most || least);
    if (low > MAX_REPEATED) throw new Unsupported();
    return atom.repeat(Math.min(high, low + this.extra, MAX_REPEATED));
  }

  #atom(): string {
    if (this.#take('(')) return this.#group();
    if (this.#match(/\^|\$|\\[bB]/y)) return '';
    const [set] = this.#match(/\[(?:[^\]\\]|\\.)*\]|\.|\\[pP]\{[^}]*\}|\\[dDwWsS]/y) ?? [];
    if (set !== undefined) return member(set, this.variant);
    const [, group] = this.#match(/\\([1-9]\d?)/y) ?? [];
    if (group !== undefined) return this.#groups[Number(group) - 1] ?? '';
    const [escape] = this.#match(/\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^\dkc])/iy) ?? [];
    if (escape !== undefined) return unescaped(escape);
    const [character] = this.#match(/[^\\*+?{}[\]()]/uy) ?? [];
    if (character === undefined) throw new Unsupported();
    return character;
  }

  #group(): string {
    const isLookaround = this.#match(/\?<?[=!]/y) !== undefined;
    const takesNothing = isLookaround || this.#match(/\?:/y) !== undefined;
    if (!takesNothing) this.#match(/\?<\w+>/y);
    const index = takesNothing ? -1 : this.#groups.push('') - 1;
    const inner = this.alternatives();
    if (index !== -1) this.#groups[index] = inner;
    if (!this.#take(')')) throw new Unsupported();
    return isLookaround ? '' : inner;
  }

  #take(character: string): boolean {
    const isNext = this.pattern[this.#at] === character;
    if (isNext) this.#at++;
    return isNext;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.pattern) ?? undefined;
    if (found) this.#at = expression.lastIndex;
    return found;
  }
}

/** One character of a class: the engine itself says which belong to it. */
function member(set: string, variant: number): string {
  const expression = new RegExp(`^${set}$`, 'u');
  const found = [...ALPHABET, ...Array.from(set)].filter((character) => expression.test(character));
  const character = found[variant % found.length];
  if (character === undefined) throw new Unsupported();
  return character;
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

function unescaped(escape: string): string {
  const [, hex] = /^\\[ux]\{?([\da-f]+)\}?$/i.exec(escape) ?? [];
  if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
  if (escape.length > 2) throw new Unsupported();
  return CONTROLS[escape[1]!] ?? escape[1]!;
}
