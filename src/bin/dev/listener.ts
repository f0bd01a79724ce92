import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientRequest } from 'node:http';
import { isOver, whenOver } from '../../hosts/when-over.ts';
import { passHead, sendHead } from './passed-on.ts';
import type { VersionProcess } from './version-process.ts';

/** The request of an MCP client for notifications is repeated for each version. A larger one is an ordinary call. */
const MAX_BODY = 1024 * 1024;

/** Whether a client asks for notifications: with a stream of its session (2025-11-25), or with a request (2026-07-28). */
export function mayListen({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET') return headers['mcp-session-id'] !== undefined;
  const isSmall = Number(headers['content-length']) <= MAX_BODY;
  return method === 'POST' && headers['mcp-method'] === 'subscriptions/listen' && isSmall;
}

/**
 * An MCP client that listens. Official clients of 2026-07-28 never listen again when their stream ends, so it goes on when the
 * version changes, or when its process dies: the request is sent to the next version, and the client notices nothing.
 */
export class Listener {
  /** The version that it was last given to. */
  version: VersionProcess | undefined;
  #sent: ClientRequest | undefined;
  #body: Promise<Buffer> | undefined;
  /** The client knows that it is listening. */
  #isListening = false;
  /** Only the last attempt counts: a process may die while another takes over. */
  #attempts = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    whenOver(request, response, () => this.#sent?.destroy());
  }

  get isListening(): boolean {
    return this.#isListening && !this.#isOver;
  }

  get #isOver(): boolean {
    return isOver(this.request, this.response);
  }

  /** Resolves when the version notifies the client, or has refused to. Throws if the process has ended. */
  async attach(version: VersionProcess, onLost: () => void): Promise<void> {
    const attempt = ++this.#attempts;
    this.version = version;
    // First, since a client may leave while it is read: no connection must remain from that.
    const body = await (this.#body ??= bodyOf(this.request));
    if (this.#isOver || attempt !== this.#attempts) return;
    const socket = await version.connect(this.request.socket);
    if (this.#isOver || attempt !== this.#attempts) return void socket.destroy();
    const sent = sendHead(this.request, socket);
    const previous = this.#sent;
    this.#sent = sent;
    await new Promise<void>((resolve) => {
      const end = () => {
        resolve();
        if (this.#sent !== sent || this.#isOver) return;
        if (this.#isListening) onLost();
        else this.response.destroy();
      };
      sent.on('error', end);
      sent.on('response', (received) => {
        received.on('error', end);
        resolve();
        if (this.#sent === sent) {
          previous?.destroy();
          this.#receive(received);
          received.once('end', () => this.#sent === sent && this.response.end());
        } else received.resume();
      });
      sent.end(body);
    });
  }

  #receive(received: IncomingMessage): void {
    const isStream =
      received.statusCode === 200 && received.headers['content-type']?.startsWith('text/event-stream') === true;
    if (!this.#isListening) {
      passHead(received, this.response);
      this.#isListening = isStream;
      received.pipe(this.response, { end: false });
    } else if (!isStream) {
      // This version refuses to notify the client, for example since the resource that it follows is gone.
      received.resume();
      this.response.end();
    } else {
      this.response.write('\n\n'); // ends an event that was cut off when a process died
      if (this.request.method === 'GET') received.pipe(this.response, { end: false });
      else passAfterFirstEvent(received, this.response);
    }
  }
}

/** The first event acknowledges the request. The client has seen it. */
function passAfterFirstEvent(received: IncomingMessage, response: ServerResponse): void {
  let start = '';
  const onData = (chunk: Buffer) => {
    start += chunk.toString('latin1');
    const end = /\r?\n\r?\n/.exec(start);
    if (!end) return;
    received.off('data', onData);
    response.write(Buffer.from(start.slice(end.index + end[0].length), 'latin1'));
    received.pipe(response, { end: false });
  };
  received.on('data', onData);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
