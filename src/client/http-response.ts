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
  if (response.status === 204) return success(undefined);
  const { body, isBroken } = bodyOf(response, text);
  if (response.ok) {
    if (response.status === 202 && known.isOurs && isTask(body)) return { ok: true, data: undefined, task: body };
    if (isBroken || (known.isOurs && !isProfiled(body))) return wrongFormat(response, text);
    const outcome = known.isOurs ? readResponse(body) : success(body);
    return outcome.ok && known.revive ? { ...outcome, data: known.revive(outcome.data) } : outcome;
  }
  return failureIn(response, text, body, known.isOurs ? url : undefined);
}

/** `url`: of a function. Every app sends a code with its 404, so one without a code is from another server. */
function failureIn(response: Response, text: string, body: unknown, url?: URL): Failed {
  const outcome = readResponse(body);
  const hasCode = response.headers.has(CODE_HEADER) || (!outcome.ok && outcome.error.code !== 'UNKNOWN_ERROR');
  if (url && response.status === 404 && !hasCode)
    return refuse('INVALID_RESPONSE_FORMAT', `There is no everywire app at ${url.href}: it answers with status 404`);
  return withHeaders(outcome.ok ? unknownError(messageIn(response, text)) : outcome, response);
}

const CODE_HEADER = 'everywire-error-code';

/** Characters of a message that no program of ours wrote. */
const MAX_MESSAGE = 200;

/** Proxies send pages for people, of any length. */
function messageIn({ headers, status, statusText }: Response, text: string): string {
  const line = `${status} ${statusText}`.trim();
  const said = text.trim();
  const isPage = /html/i.test(headers.get('content-type') ?? '') || said.startsWith('<');
  if (said === '' || isPage) return `The server answered with status ${line}`;
  return said.length > MAX_MESSAGE ? `${said.slice(0, MAX_MESSAGE)}…` : said;
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
  const retryAfter = error.retryAfter ?? secondsIn(headers.get('retry-after'));
  const known = { ...error, ...(retryAfter !== undefined && { retryAfter }) };
  if (error.code !== 'UNKNOWN_ERROR') return failed(known);
  const named = headers.get(CODE_HEADER);
  const code = isCode(named) ? (named as string) : codeOf(status);
  return failed({ ...known, code, retry: factsOf(code).retry });
}

/** `Retry-After` is a number of seconds, or a date. */
function secondsIn(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const until = Date.parse(header) - Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil(until / 1000));
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
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
] as const;

/** The failure code for a status. */
function codeOf(status: number): string {
  // A proxy that cannot reach the server: 52x are those of Cloudflare.
  if (status === 502 || (status >= 520 && status <= 524)) return 'UNAVAILABLE';
  return CODES_BY_STATUS.find((code) => codes[code].status === status) ?? 'UNKNOWN_ERROR';
}
