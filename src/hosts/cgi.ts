import { readSync } from 'node:fs';
import type { App } from '../app/app.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { baseOf, bodyLength, decodeCgi, encodeCgi, tooShort } from '../wires/cgi/wire.ts';
import type { CgiVariables } from '../wires/cgi/wire.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import type { HttpWireOptions } from '../wires/http/wire.ts';
import { tooLarge } from '../wires/json-body.ts';
import { pauseBriefly } from '../stdout/pause.ts';

const STDIN = 0;

/** Answers the one request that this process was started for, through the HTTP wire. */
export async function answerCgi(
  app: App,
  variables: CgiVariables,
  options: Pick<HttpWireOptions, 'environment' | 'hosts' | 'origins'>,
): Promise<ReturnType<typeof encodeCgi>> {
  const wire = createHttpWire(app, { ...options, name: 'cgi', base: baseOf(variables), stateless: true });
  const request = decodeCgi(variables);
  const body = distrustsProxy(variables) ?? readBody(variables, app.limits.body);
  const reply = 'ok' in body ? wire.refuse(body, request.headers) : await wire.handle({ ...request, body });
  return encodeCgi(reply, request.method);
}

/** Node itself has taken the client's header for the address of a proxy before any of our code ran. */
function distrustsProxy({ HTTP_PROXY, NODE_USE_ENV_PROXY }: CgiVariables): Failed | undefined {
  if (!HTTP_PROXY || !NODE_USE_ENV_PROXY) return undefined;
  return refuse('BAD_REQUEST', 'A Proxy header is not accepted');
}

/** There is nothing else to do meanwhile, so the plain way is the quick one. What is sent beyond its length is not read. */
function readBody(variables: CgiVariables, limit: number): Uint8Array | Failed {
  const length = bodyLength(variables);
  if (typeof length === 'object') return length;
  const most = length === 'all' ? Infinity : length;
  try {
    const body = readUpTo(Math.min(most, limit + 1));
    if (body.length > limit) {
      skip(most - body.length);
      return tooLarge(limit);
    }
    return length !== 'all' && body.length < length ? tooShort(length, body.length) : body;
  } catch {
    return refuse('BAD_REQUEST', 'The body could not be read');
  }
}

function readUpTo(most: number): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(most, 65_536));
  let at = 0;
  while (at < most) {
    if (at === bytes.length) bytes = Buffer.concat([bytes], Math.min(most, bytes.length * 2));
    const came = readSome(bytes, at);
    if (came === 0) break;
    at += came;
  }
  return bytes.subarray(0, at);
}

/** A server that cannot get rid of a body may give up before it has read the answer. */
function skip(most: number): void {
  const bytes = Buffer.allocUnsafe(65_536);
  for (let left = most; left > 0;) {
    const came = readSome(bytes, 0);
    if (came === 0) return;
    left -= came;
  }
}

/** A descriptor that another process made non-blocking has nothing yet, now and then. */
function readSome(bytes: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(STDIN, bytes, at, bytes.length - at, null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      pauseBriefly();
    }
  }
}
