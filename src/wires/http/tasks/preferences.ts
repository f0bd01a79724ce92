import { readParameter, splitOutsideQuotes } from '../../../responses/header-parts.ts';
import type { HttpHeaders } from '../message.ts';

/** What a client would like (RFC 7240). */
export interface Preferences {
  readonly respondAsync: boolean;
  /** Milliseconds that it will wait for an answer; 0 if it does not say. */
  readonly wait: number;
}

const NONE: Preferences = { respondAsync: false, wait: 0 };

/** Preferences that are unknown or malformed are ignored. Of one that is given twice, the first counts. */
export function readPreferences({ prefer }: HttpHeaders): Preferences {
  if (prefer === undefined) return NONE;
  const given = new Map<string, string>();
  for (const preference of splitOutsideQuotes(String(prefer), ',')) {
    const [name, value] = readParameter(splitOutsideQuotes(preference, ';')[0]!);
    if (!given.has(name)) given.set(name, value);
  }
  // No value and an empty one are the same.
  return { respondAsync: given.get('respond-async') === '', wait: millisecondsIn(given.get('wait')) };
}

function millisecondsIn(seconds = ''): number {
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : 0;
}
