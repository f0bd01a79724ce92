import { codes, factsOf } from '../core/codes.ts';
import { isCode } from '../core/failure.ts';
import { failed, success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { unknownError } from '../responses/profiles/unknown-error.ts';
import { readResponse } from '../responses/read-response.ts';
import type { Revive } from '../schema/revive.ts';
import { unreachable } from './unreachable.ts';

/** The profile that loses nothing first; a server that does not know it may send any JSON. */
export const ACCEPT =
  'application/json; profile=status, application/json;q=0.9, application/problem+json;q=0.9, */*;q=0.1';

/** What the answer is known to be. */
export interface Expected {
  /** A body of one of our profiles; else a success is data, whatever it looks like. */
  readonly isOurs: boolean;
  readonly revive?: Revive | undefined;
}

/** Sends a request and reads whatever comes back. Never throws. */
export async function ask(
  send: typeof fetch,
  url: URL,
  init: RequestInit,
  expected: () => Promise<Expected>,
): Promise<Outcome> {
  let response: Response;
  let text: string;
  let known: Expected;
  try {
    // The schema is needed only to read the answer, so both are fetched at once.
    [response, known] = await Promise.all([send(url, init), expected()]);
    text = await response.text();
  } catch (thrown) {
    return unreachable(thrown);
  }
  const body = bodyOf(response, text);
  if (response.ok) {
    const typed = known.revive ? known.revive(body) : body;
    return known.isOurs ? readResponse(typed) : success(typed);
  }
  const outcome = readResponse(body);
  return withHeaders(
    outcome.ok ? unknownError(text.trim() || response.statusText || `Status ${response.status}`) : outcome,
    response,
  );
}

/** JSON where it says so, or looks like it; else the text. */
function bodyOf({ headers }: Response, text: string): unknown {
  if (text === '') return undefined;
  const isJson = /json/i.test(headers.get('content-type') ?? '') || /^\s*[[{]/.test(text);
  try {
    return isJson ? (JSON.parse(text) as unknown) : text;
  } catch {
    return text;
  }
}

/** What a body does not say, the headers and the status may. */
function withHeaders({ error }: Failed, { headers, status }: Response): Failed {
  const after = Number(headers.get('retry-after') ?? NaN);
  const retryAfter = error.retryAfter ?? (Number.isFinite(after) ? after : undefined);
  const known = { ...error, ...(retryAfter !== undefined && { retryAfter }) };
  if (error.code !== 'UNKNOWN_ERROR') return failed(known);
  const named = headers.get('everywire-error-code');
  const code = isCode(named) ? (named as string) : codeOf(status);
  return failed({ ...known, code, retry: factsOf(code).retry });
}

const NAMED = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'GONE',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'TIMEOUT',
] as const;

/** The code of the table that an author would have chosen for a status. */
function codeOf(status: number): string {
  return NAMED.find((code) => codes[code].status === status) ?? 'UNKNOWN_ERROR';
}
