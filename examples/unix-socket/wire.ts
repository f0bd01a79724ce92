import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { App, Failed, Outcome, ProfileName } from 'everywire';
import { decodeJson, refuse } from 'everywire/wire';

/** A request is one line: `{"id":1,"function":"Add","arguments":{"x":1,"y":2}}`. `profile` is optional. */
interface LineRequest {
  readonly id: string | number;
  readonly function: string;
  readonly arguments?: unknown;
  readonly profile?: ProfileName;
}

/** Serves an app as JSON lines. A response is one line, too: `{"id":1,"code":"OK","body":{"result":3}}`. */
export function createLineServer(app: App): Server {
  return createServer((socket) => serveConnection(app, socket));
}

function serveConnection(app: App, socket: Socket): void {
  const disconnected = new AbortController();
  let line = '';
  // One character per byte, because a chunk may end in the middle of a UTF-8 sequence.
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    for (const [i, part] of chunk.split('\n').entries()) {
      if (i > 0) {
        void reply(Buffer.from(line, 'latin1'));
        line = '';
      }
      // Keeps enough of a line that is too long to see that it is.
      if (line.length <= app.limits.body) line += part;
    }
  });
  socket.on('drain', () => socket.resume());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => disconnected.abort());

  async function reply(bytes: Uint8Array): Promise<void> {
    const response = await respond(app, bytes, disconnected.signal);
    // A client that does not read its responses cannot send more requests.
    if (!socket.write(`${response}\n`)) socket.pause();
  }
}

async function respond(app: App, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const request = decode(app, bytes);
  if ('ok' in request) return encode(null, request, JSON.stringify(app.profile.render(request)));
  const { id, function: name, arguments: input, profile = app.profile } = request;
  const { outcome, body } = await app.respond({ name, input, signal, caller: { wire: 'unix-socket' } }, profile);
  return encode(id, outcome, body);
}

function decode(app: App, bytes: Uint8Array): LineRequest | Failed {
  const { body: maxBytes, depth } = app.limits;
  if (bytes.length > maxBytes) return refuse('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
  // The arguments are one level down.
  const decoded = decodeJson(bytes, depth + 1);
  if ('ok' in decoded) return decoded;
  return isRequest(app, decoded.input)
    ? decoded.input
    : refuse('BAD_REQUEST', 'A request has an id, the name of a function and perhaps a profile');
}

function isRequest(app: App, value: unknown): value is LineRequest {
  const { id, function: name, profile } = (value ?? {}) as Partial<LineRequest>;
  if (typeof name !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return false;
  return profile === undefined || Object.hasOwn(app.profiles, profile);
}

function encode(id: LineRequest['id'] | null, outcome: Outcome, body: string): string {
  return `{"id":${JSON.stringify(id)},"code":"${outcome.ok ? 'OK' : outcome.error.code}","body":${body}}`;
}
