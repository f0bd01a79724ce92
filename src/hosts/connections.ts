import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { responseOn } from './response-on.ts';

/** Milliseconds that connections stay open after the last call when the server stops, for requests in transit. */
const LINGER = 250;

/** Milliseconds in which connections from the backlog are still accepted. */
const BACKLOG_TIME = 500;

/** A server for HTTPS emits both: at first the connection, and after the handshake what is to be used instead. */
export const CONNECTED = ['connection', 'secureConnection'] as const;

/** A connection with HTTP/2, which carries many responses at once. */
interface Session {
  readonly streams: Set<Duplex>;
  /** Takes no more requests; those in progress go on. */
  readonly close: () => void;
}

/** The open connections of a server, and how to close them when it stops. */
export class Connections {
  readonly #open = new Set<Duplex>();
  readonly #sessions = new Map<Duplex, Session>();
  readonly #onEmpty: (() => void)[] = [];
  /** Whether connections should be closed after the response in progress. */
  isRetiring = false;

  constructor(private readonly server: Server) {
    for (const event of CONNECTED)
      server.on(event, (socket: Duplex) => {
        this.#open.add(socket);
        socket.once('close', () => {
          this.#open.delete(socket);
          this.#sessions.delete(socket);
          if (this.#open.size === 0) for (const resolve of this.#onEmpty) resolve();
        });
      });
  }

  /** Returns the set in which the connection keeps its streams, from the head of the request to the end of the response. */
  addSession(socket: Duplex, close: () => void): Session['streams'] {
    const session = { streams: new Set<Duplex>(), close };
    this.#sessions.set(socket, session);
    return session.streams;
  }

  /** Waits for responses in progress: with pipelining, garbage may follow a request that is still being processed. */
  whenIdle(socket: Duplex, act: () => void): void {
    const response = responseOn(socket);
    if (response?.req.complete && !response.destroyed) response.once('close', () => this.whenIdle(socket, act));
    else act();
  }

  /** Stops listening, waits for responses in progress, and closes all connections. False if it had to cut one off. */
  closeWithin(limit: number): Promise<boolean> {
    const { server } = this;
    return new Promise<boolean>((resolve) => {
      const watched = new WeakSet<EventEmitter>();
      let linger: NodeJS.Timeout | undefined;
      const check = () => {
        const inProgress = this.#inProgress();
        for (const response of inProgress) if (!watched.has(response)) watch(response);
        clearTimeout(linger);
        if (inProgress.length === 0) linger = setTimeout(end, Math.min(LINGER, limit / 2));
      };
      const end = () => {
        if (this.#inProgress().length > 0) return check(); // a stream that began meanwhile
        for (const socket of this.#open) socket.destroy();
      };
      const watch = (response: EventEmitter) => {
        watched.add(response);
        // One turn later, when Node has started the next response on the connection.
        response.once('close', () => setImmediate(check));
      };
      for (const event of ['request', 'checkContinue', 'checkExpectation'])
        server.on(event, (_request, response: ServerResponse) => {
          watch(response);
          check();
        });
      for (const session of this.#sessions.values()) session.close();
      check();
      const force = setTimeout(() => {
        resolve(this.#inProgress().length === 0);
        for (const socket of this.#open) socket.destroy();
      }, limit);
      const stopListening = async () => {
        const closed = this.#stopListening();
        check();
        await closed;
        clearTimeout(linger);
        clearTimeout(force);
        resolve(true);
      };
      void this.#acceptBacklog(Math.min(BACKLOG_TIME, limit / 4)).then(stopListening);
    }).finally(() => server.close()); // also stops its timers
  }

  /**
   * Stops listening, and leaves the open connections to their clients and to the time limits: the host tells clients to close
   * them with the next response. Resolves when the last one is closed.
   */
  async retire(): Promise<void> {
    this.isRetiring = true;
    for (const session of this.#sessions.values()) session.close();
    await this.#stopListening();
    this.server.close(); // stops its timers
  }

  /** Resolves when no connection is open any more. */
  async #stopListening(): Promise<void> {
    // Not server.close(): it would close idle connections at once, and requests in transit would be lost.
    await new Promise<void>((resolve) => void NetServer.prototype.close.call(this.server, () => resolve()));
    // Node does not count connections that were handed over.
    if (this.#open.size > 0) await new Promise<void>((resolve) => void this.#onEmpty.push(resolve));
  }

  /** Accepts the connections in the backlog, which would be reset when the server stops listening. */
  async #acceptBacklog(max: number): Promise<void> {
    const end = performance.now() + max;
    let idle = 0;
    const onConnection = () => void (idle = 0);
    this.server.on('connection', onConnection);
    // Node may accept only one in each turn of the event loop.
    while (idle++ < 3 && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    this.server.off('connection', onConnection);
  }

  /** Responses in progress. Requests that have not arrived completely do not count. */
  #inProgress(): EventEmitter[] {
    return [...this.#open].flatMap((socket): EventEmitter[] => {
      const session = this.#sessions.get(socket);
      if (session) return [...session.streams].filter(({ readableEnded }) => readableEnded);
      const response = responseOn(socket);
      return response?.req.complete ? [response] : [];
    });
  }
}

/**
 * Whether a request is the last one so far on its connection, according to Node's parser. With pipelining, a response
 * that closes the connection would drop the responses after it.
 */
export function isLast(request: IncomingMessage): boolean {
  const { parser } = request.socket as { parser?: { incoming?: IncomingMessage | null } | null };
  return (parser?.incoming ?? request) === request;
}
