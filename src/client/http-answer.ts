import { codes } from '../core/codes.ts';
import { isCode, refuse } from '../core/failure.ts';
import { failed } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { unknownError } from '../responses/profiles/unknown-error.ts';
import { readResponse } from '../responses/read-response.ts';
import { structureFromText } from '../schema/from-text.ts';
import type { Revive } from '../schema/revive.ts';
import type { ClientCallOptions } from './connection.ts';
import { unreachable } from './unreachable.ts';

/** The profile that loses nothing first; a server that does not know it may send any JSON. */
export const ACCEPT =
  'application/json; profile=status, application/json;q=0.9, application/problem+json;q=0.9, */*;q=0.1';

/** Sends a request and reads whatever comes back. Never throws. */
export async function ask(
  send: typeof fetch,
  url: URL,
  init: RequestInit,
  { signal, timeout }: ClientCallOptions,
  revive: () => Promise<Revive | undefined>,
): Promise<Outcome> {
  const late = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signals = [signal, late].filter((one) => one !== undefined);
  try {
    // The schema is needed only to read the answer, so both are fetched at once.
    const [response, toTyped] = await Promise.all([
      send(url, { ...init, ...(signals.length > 0 && { signal: AbortSignal.any(signals) }) }),
      revive(),
    ]);
    const text = await response.text();
    return outcomeOf(response, text, toTyped);
  } catch (thrown) {
    if (signal?.aborted) return refuse('CANCELLED', 'Cancelled by the caller');
    return late?.aborted ? refuse('TIMEOUT', `No answer within ${timeout} ms`) : unreachable(thrown);
  }
}

function outcomeOf(response: Response, text: string, revive: Revive | undefined): Outcome {
  const body = text === '' ? undefined : (structureFromText(text) ?? text);
  if (response.ok) return readResponse(revive ? revive(body) : body);
  const outcome = readResponse(body);
  return withHeaders(
    outcome.ok ? unknownError(text.trim() || response.statusText || `Status ${response.status}`) : outcome,
    response,
  );
}

/** What a body does not say, the headers and the status may. */
function withHeaders({ error }: Failed, { headers, status }: Response): Failed {
  const named = headers.get('everywire-error-code');
  const code = error.code !== 'UNKNOWN_ERROR' ? error.code : isCode(named) ? (named as string) : codeOf(status);
  const after = Number(headers.get('retry-after') ?? NaN);
  return failed({
    ...error,
    code,
    retry: error.retry || status === 429 || status === 503 || status === 504,
    ...(error.retryAfter === undefined && Number.isFinite(after) && { retryAfter: after }),
  });
}

/** The code of the table that an author would have chosen for a status. */
function codeOf(status: number): string {
  const named = [
    'UNAUTHENTICATED',
    'FORBIDDEN',
    'NOT_FOUND',
    'CONFLICT',
    'GONE',
    'RATE_LIMITED',
    'UNAVAILABLE',
    'TIMEOUT',
  ] as const;
  return named.find((code) => codes[code].status === status) ?? 'UNKNOWN_ERROR';
}
