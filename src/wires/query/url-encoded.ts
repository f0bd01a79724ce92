import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { truncate } from '../../schema/truncate.ts';

/** The names and values of a query or a form, in their order. */
export type Pairs<Value = string> = readonly (readonly [name: string, value: Value])[];

/**
 * Like URLSearchParams, but refuses what that would replace or keep: broken percent-encoding and invalid UTF-8. Takes
 * linear time.
 */
export function parsePairs(text: string): Pairs | Failed {
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const sent = mark === -1 ? part : part.slice(0, mark);
    const name = decode(sent);
    const value = mark === -1 ? '' : decode(part.slice(mark + 1));
    if (name === undefined || value === undefined) return brokenEncoding(sent);
    pairs.push([name, value]);
  }
  return pairs;
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** Without the value, which may be secret. */
export function brokenEncoding(name: string): Failed {
  return refuse('BAD_REQUEST', `${JSON.stringify(truncate(name, 60))} is not percent-encoded UTF-8`);
}

/** Whether a part of a URL has only characters that are allowed there. Hosts decode others in different ways. */
export function isUrlText(text: string): boolean {
  return /^[!-~]*$/.test(text);
}
