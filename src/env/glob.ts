import { ContextFailure } from '../core/failure.ts';

/** The pattern of one name, or `**` for any number of folders. */
type Part = readonly Token[] | '**';
type Token = '*' | ((character: string) => boolean);

/**
 * Patterns such as `**\/*.txt`: `*` and `?` within a name, `[a-z]` and `[!a-z]`, `**` for any number of folders. Patterns
 * may come from a caller, so matching must not backtrack exponentially.
 */
export class Glob {
  readonly #parts: readonly Part[];

  constructor(pattern: string) {
    if (typeof pattern !== 'string' || pattern === '' || pattern.length > MAX_LENGTH || /[\0\\]|^\//.test(pattern)) {
      const quoted = JSON.stringify(pattern)?.slice(0, 100);
      throw new ContextFailure(
        'INVALID_ARGUMENTS',
        `Bad pattern ${quoted}: expected one such as **/*.txt, relative to a folder`,
      );
    }
    this.#parts = pattern
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      // `**/**` is the same as `**`.
      .filter((part, i, parts) => part !== '**' || parts[i - 1] !== '**')
      .map((part) => (part === '**' ? part : tokensOf(part)));
  }

  /** The states of the pattern at the top of the search. */
  get start(): readonly number[] {
    return this.#reach([0]);
  }

  /** The states after one more name; empty if nothing below it can match. */
  step(states: readonly number[], name: string): readonly number[] {
    const characters = Array.from(name);
    const next = states.flatMap((at) => {
      const part = this.#parts[at];
      if (part === '**') return [at];
      return part && matches(part, characters) ? [at + 1] : [];
    });
    return this.#reach([...new Set(next)]);
  }

  isMatch(states: readonly number[]): boolean {
    return states.includes(this.#parts.length);
  }

  /** `**` also matches zero folders. */
  #reach(states: readonly number[]): readonly number[] {
    const all = new Set(states);
    for (const at of all) if (this.#parts[at] === '**') all.add(at + 1);
    return [...all];
  }
}

const MAX_LENGTH = 1000;

function tokensOf(part: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(part);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    const end = character === '[' ? characters.indexOf(']', i + 2) : -1;
    if (character === '*' && tokens.at(-1) === '*') continue;
    if (character === '*') tokens.push('*');
    else if (character === '?') tokens.push(() => true);
    else if (end !== -1) {
      tokens.push(oneOf(characters.slice(i + 1, end)));
      i = end;
    } else tokens.push((other) => other === character);
  }
  return tokens;
}

function oneOf(characters: readonly string[]): (character: string) => boolean {
  const isNegated = characters[0] === '!' || characters[0] === '^';
  const listed = isNegated ? characters.slice(1) : characters;
  const ranges: (readonly [low: string, high: string])[] = [];
  for (let i = 0; i < listed.length; i++) {
    const low = listed[i]!;
    const high = listed[i + 1] === '-' ? listed[i + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) i += 2;
  }
  return (character) => ranges.some(([low, high]) => low <= character && character <= high) !== isNegated;
}

/** On a mismatch, the last `*` takes one more character. Earlier ones never need to change. */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let starEnd = 0;
  for (let i = 0; i < name.length;) {
    const token = tokens[at];
    if (token === '*') {
      star = at++;
      starEnd = i;
    } else if (token?.(name[i]!)) {
      at++;
      i++;
    } else if (star !== -1) {
      at = star + 1;
      i = ++starEnd;
    } else return false;
  }
  while (tokens[at] === '*') at++;
  return at === tokens.length;
}
