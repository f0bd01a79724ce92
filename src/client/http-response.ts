import { codes, factsOf } from '../core/codes.ts';
import { isCode, refuse } from '../core/failure.ts';
import { failed, success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { unknownError } from '../responses/profiles/unknown-error.ts';
import { readResponse } from '../responses/read-response.ts';
import type { Revive } from '../schema/revive.ts';
import type { StreamHooks } from './connection.ts';
import { fileIn } from './file-in.ts';
import { isEventStream, readEvents } from './http-stream.ts';
import { isProfiled } from './is-profiled.ts';
import { isTask } from './task-connection.ts';
import { unreachable } from './unreachable.ts';

const ANY_JSON = 'application/json;q=0.9, application/problem+json;q=0.9, */*;q=0.1';

/** Prefers the lossless `status` profile. Other servers may send any JSON. */
export const ACCEPT = `application/json; profile=status, ${ANY_JSON}`;

/** The same, and prefers a stream to it. */
export const ACCEPT_STREAM = `application/x-ndjson, application/json; profile=status;q=0.95, ${ANY_JSON}`;

/** The same, for a server that sends files as they are to those who prefer that to JSON. */
export const ACCEPT_FILES = `application/octet-stream, application/json; profile=status;q=0.95, ${ANY_JSON}`;

/** What is known about the response. */
export interface Expected {
  /** Whether the body has one of our profiles. Otherwise a successful body is the data. */
  readonly isOurs: boolean;
  /** Decodes dates and the like in the data. */
  readonly revive?: Revive | undefined;
  /** The same for chunks of a stream. */
  readonly reviveChunk?: Revive | undefined;
}

/** How requests are sent. */
export interface Sender {
  readonly send: typeof fetch;
  readonly maxBufferedFile: number;
}

/** As large as the files that a server accepts by default. */
export const MAX_BUFFERED_FILE = 16 * 1024 * 1024;

/** Sends a request and reads any response. Never throws. */
export async function sendRequest(
  { send, maxBufferedFile }: Sender,
  url: URL,
  init: RequestInit,
  expected: () => Promise<Expected>,
  hooks?: StreamHooks,
): Promise<Outcome> {
  let response: Response;
  let text: string;
  let known: Expected;
  try {
    // The schema is only needed to read the response, so both are fetched in parallel.
    [response, known] = await Promise.all([send(url, init), expected()]);
    if (hooks && isEventStream(response)) return await readEvents(response, known, hooks);
    const isFile = known.isOurs && response.ok;
    const file = isFile ? await fileIn(response, maxBufferedFile, init.signal ?? undefined) : undefined;
    if (file) return success(file);
    text = await response.text();
  } catch (thrown) {
    return unreachable(thrown);
  }
  const { body, isBroken } = bodyOf(response, text);
  if (response.ok) {
    if (response.status === 202 && known.isOurs && isTask(body)) return { ok: true, data: undefined, task: body };
    if (isBroken || (known.isOurs && !isProfiled(body))) return wrongFormat(response, text);
    const outcome = known.isOurs ? readResponse(body) : success(body);
    return outcome.ok && known.revive ? { ...outcome, data: known.revive(outcome.data) } : outcome;
  }
  return failureIn(response, text, body);
}

function failureIn(response: Response, text: string, body: unknown): Failed {
  const outcome = readResponse(body);
  return withHeaders(
    outcome.ok ? unknownError(text.trim() || response.statusText || `Status ${response.status}`) : outcome,
    response,
  );
}

/** The failure in a response that is one. */
export async function readFailure(response: Response): Promise<Failed> {
  const text = await response.text();
  return failureIn(response, text, bodyOf(response, text).body);
}

/** Parses the body if its type is JSON or it looks like JSON. `isBroken`: its type is JSON, but it does not parse. */
function bodyOf({ headers }: Response, text: string): { readonly body: unknown; readonly isBroken: boolean } {
  if (text === '') return { body: undefined, isBroken: false };
  const saysJson = /json/i.test(headers.get('content-type') ?? '');
  try {
    return { body: saysJson || /^\s*[[{]/.test(text) ? (JSON.parse(text) as unknown) : text, isBroken: false };
  } catch {
    return { body: text, isBroken: saysJson };
  }
}

/** A truncated response must not be read as a success. */
function wrongFormat({ headers, status }: Response, text: string): Failed {
  const type = headers.get('content-type') ?? 'no type';
  const what = text === '' ? 'empty' : `${text.length} characters of ${type} that cannot be read`;
  return refuse('INVALID_RESPONSE_FORMAT', `The response (status ${status}) is ${what}`);
}

/** Takes from the headers and the status what the body does not contain. */
function withHeaders({ error }: Failed, { headers, status }: Response): Failed {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const retryAfter = error.retryAfter ?? (Number.isFinite(seconds) ? seconds : undefined);
  const known = { ...error, ...(retryAfter !== undefined && { retryAfter }) };
  if (error.code !== 'UNKNOWN_ERROR') return failed(known);
  const named = headers.get('everywire-error-code');
  const code = isCode(named) ? (named as string) : codeOf(status);
  return failed({ ...known, code, retry: factsOf(code).retry });
}

const CODES_BY_STATUS = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'GONE',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'TIMEOUT',
] as const;

/** The failure code for a status. */
function codeOf(status: number): string {
  return CODES_BY_STATUS.find((code) => codes[code].status === status) ?? 'UNKNOWN_ERROR';
}
