import { refuse } from './failure.ts';
import type { Failed } from './outcome.ts';

/** The variables in a URI template: `notes://{year}/{id}` has year and id. */
export type VariablesIn<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & VariablesIn<Rest>
  : {};

/**
 * A URI with variables (RFC 6570, level 1). Each stands for one or more characters of one part of a path: none of them
 * is `/`, `?` or `#`. Where more than one reading is possible, the first variable is as long as it can be, then the
 * second: `{name}.{ext}` reads `a.b.c` as `a.b` and `c`.
 */
export interface UriTemplate {
  readonly names: readonly string[];
  /** What the variables are in a URI; undefined when it is another. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

export function compileTemplate(template: string): UriTemplate {
  const parts = template.split(/\{(\w+)\}/);
  const names = parts.filter((_, i) => i % 2 === 1);
  const literals = parts.filter((_, i) => i % 2 === 0);
  return {
    names,
    match(uri) {
      const values = valuesIn(uri, literals);
      if (!values) return undefined;
      try {
        return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i]!)]));
      } catch {
        return undefined; // a stray per cent sign
      }
    },
  };
}

/**
 * What stands between the literals, found from the end: each literal as far to the right as it can be leaves the most
 * to the variables before it. A literal is never looked for twice, so a long URI takes no longer than it is long, which
 * a regular expression with several variables would.
 */
function valuesIn(uri: string, literals: readonly string[]): readonly string[] | undefined {
  const [first = '', ...others] = literals;
  const last = others.pop();
  if (last === undefined) return uri === first ? [] : undefined;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return undefined;
  const values: string[] = [];
  let end = uri.length - last.length;
  for (const literal of others.toReversed()) {
    const at = lastBefore(uri, literal, end);
    if (at < first.length) return undefined;
    values.push(uri.slice(at + literal.length, end));
    end = at;
  }
  // Where the first literal and what follows overlap, there is nothing between them.
  values.push(end > first.length ? uri.slice(first.length, end) : '');
  return values.every((value) => value !== '' && !/[/?#]/.test(value)) ? values.toReversed() : undefined;
}

/** Where a literal begins that ends before `end`, with a character between; less than 0 when there is none. */
function lastBefore(uri: string, literal: string, end: number): number {
  const from = end - literal.length - 1;
  if (from < 0) return -1;
  // Two variables side by side must not share the halves of one character.
  if (literal === '') return isLowHalf(uri.charCodeAt(from)) ? from - 1 : from;
  return uri.lastIndexOf(literal, from);
}

const isLowHalf = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Longer ones are no addresses. */
export const LONGEST_ADDRESS = 8192;

/** Why an address is not even looked for. */
export function refuseAddress(uri: string): Failed | undefined {
  if (uri.length <= LONGEST_ADDRESS) return undefined;
  return refuse('BAD_REQUEST', `The address is longer than ${LONGEST_ADDRESS} characters`);
}
