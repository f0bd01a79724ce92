import { refuse } from './failure.ts';
import type { Failed } from './outcome.ts';

/** The variables in a URI template: `notes://{year}/{id}` has year and id. */
export type VariablesIn<Uri extends string> = Uri extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & VariablesIn<Rest>
  : {};

/**
 * A URI with variables (RFC 6570, level 1). A variable matches one or more characters except `/`, `?` and `#`. If
 * several matches are possible, earlier variables are as long as possible: `{name}.{ext}` matches `a.b.c` as `a.b`
 * and `c`.
 */
export interface UriTemplate {
  readonly names: readonly string[];
  /** The values of the variables; undefined if the URI does not match. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

export function compileTemplate(template: string): UriTemplate {
  const parts = template.split(/\{(\w+)\}/);
  const names = parts.filter((_, i) => i % 2 === 1);
  const literals = parts.filter((_, i) => i % 2 === 0);
  return {
    names,
    match(uri) {
      const values = matchLiterals(uri, literals);
      if (!values) return undefined;
      try {
        return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i]!)]));
      } catch {
        return undefined; // invalid percent-encoding
      }
    },
  };
}

/**
 * The strings between the literals. Searches from the end, each literal as far right as possible, so that earlier
 * variables are as long as possible. Takes linear time; a regular expression with several variables would backtrack.
 */
function matchLiterals(uri: string, literals: readonly string[]): readonly string[] | undefined {
  const [first = '', ...others] = literals;
  const last = others.pop();
  if (last === undefined) return uri === first ? [] : undefined;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return undefined;
  const values: string[] = [];
  let end = uri.length - last.length;
  for (const literal of others.toReversed()) {
    const index = lastIndexBefore(uri, literal, end);
    if (index < first.length) return undefined;
    values.push(uri.slice(index + literal.length, end));
    end = index;
  }
  // The first literal and the rest may overlap; then the first variable is empty, and nothing matches.
  values.push(end > first.length ? uri.slice(first.length, end) : '');
  return values.every((value) => value !== '' && !/[/?#]/.test(value)) ? values.toReversed() : undefined;
}

/** The last index of a literal that leaves at least one character before `end`; negative if there is none. */
function lastIndexBefore(uri: string, literal: string, end: number): number {
  const from = end - literal.length - 1;
  if (from < 0) return -1;
  // Do not split a surrogate pair between two adjacent variables.
  if (literal === '') return isLowSurrogate(uri.charCodeAt(from)) ? from - 1 : from;
  return uri.lastIndexOf(literal, from);
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** In characters; longer URIs are rejected. */
export const MAX_URI_LENGTH = 8192;

/** A failure if the address is too long; otherwise undefined. */
export function checkUriLength(uri: string): Failed | undefined {
  if (uri.length <= MAX_URI_LENGTH) return undefined;
  return refuse('BAD_REQUEST', `The address is longer than ${MAX_URI_LENGTH} characters`);
}
