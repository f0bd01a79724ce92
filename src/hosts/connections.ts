import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { responseOn } from './response-on.ts';
import { isOver, whenOver } from './when-over.ts';

/** Milliseconds that connections stay open after the last call when the server stops, for requests in transit. */
const LINGER = 250;

/** Milliseconds in which connections from the backlog are still accepted. */
const BACKLOG_TIME = 500;

/** How often in `responseTimeout` it is checked whether a response makes progress. */
const CHECKS = 10;

/** A server for HTTPS emits both: at first the connection, and after the handshake what is to be used instead. */
export const CONNECTED = ['connection', 'secureConnection'] as const;

/** A connection with HTTP/2, which carries many responses at once. */
interface Session {
  readonly streams: Set<Duplex>;
  /** Takes no more requests; those in progress go on. */
  readonly close: () => void;
}

/** A response of HTTP/1.1, or a stream of HTTP/2. */
type InProgress = ServerResponse | Duplex;

/** How much was sent on a connection that has more to send, and how many checks ago that changed. */
interface Unsent {
  readonly sent: string;
  checks: number;
}

/** The open connections of a server, and how to close them when it stops. */
export class Connections {
  readonly #open = new Set<Duplex>();
  readonly #sessions = new Map<Duplex, Session>();
  readonly #onEmpty: (() => void)[] = [];
  readonly #unsent = new WeakMap<Duplex, Unsent>();
  readonly #checking: NodeJS.Timeout | undefined;
  /** Whether connections should be closed after the response in progress. */
  isRetiring = false;

  constructor(
    private readonly server: Server,
    responseTimeout: number,
  ) {
    // One timer for all connections: a response that is read costs nothing.
    if (responseTimeout > 0)
      this.#checking = setInterval(() => this.#closeUnread(), Math.max(1, responseTimeout / CHECKS)).unref();
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
    if (response?.req.complete && !isOver(response.req, response))
      whenOver(response.req, response, () => this.whenIdle(socket, act));
    else act();
  }

  /** Stops listening, waits for responses in progress, and closes all connections. False if it had to cut one off. */
  closeWithin(limit: number): Promise<boolean> {
    const { server } = this;
    return new Promise<boolean>((resolve) => {
      const watched = new WeakSet<InProgress>();
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
      // One turn later, when Node has started the next response on the connection.
      const checkLater = () => void setImmediate(check);
      const watch = (one: InProgress) => {
        watched.add(one);
        if ('req' in one) whenOver(one.req, one, checkLater);
        else one.once('close', checkLater);
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
    }).finally(() => {
      clearInterval(this.#checking);
      server.close(); // also stops its timers
    });
  }

  /**
   * Stops listening, and leaves the open connections to their clients and to the time limits: the host tells clients to close
   * them with the next response. Resolves when the last one is closed.
   */
  async retire(): Promise<void> {
    this.isRetiring = true;
    for (const session of this.#sessions.values()) session.close();
    await this.#stopListening();
    clearInterval(this.#checking);
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

  /** Closes what clients have not read for too long. It stays in memory, and keeps a process that should end alive. */
  #closeUnread(): void {
    for (const socket of this.#open) {
      const streams = this.#sessions.get(socket)?.streams;
      if (!streams && this.#isUnread(socket)) socket.destroy();
      if (!streams) continue;
      const unread = [...streams].filter((stream) => this.#isUnread(stream));
      // The client may read other streams of the connection.
      if (unread.length < streams.size) for (const stream of unread) stream.destroy();
      else if (unread.length > 0) socket.destroy();
    }
  }

  /** Whether none of what is left to send was sent for too long. */
  #isUnread(stream: Duplex): boolean {
    if (stream.writableLength === 0) return false;
    const sent = sentOf(stream);
    const unsent = this.#unsent.get(stream);
    if (unsent?.sent === sent) return ++unsent.checks >= CHECKS;
    this.#unsent.set(stream, { sent, checks: 0 });
    return false;
  }

  /** For a stream of HTTP/2, which does not say how much of it was sent: that it was some. */
  readonly noteProgress = (stream: Duplex): void => void this.#unsent.delete(stream);

  /** Responses in progress. Requests that have not arrived completely do not count. */
  #inProgress(): InProgress[] {
    return [...this.#open].flatMap((socket): InProgress[] => {
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

interface Sending extends Duplex {
  readonly bytesWritten?: number;
  /** The connection below TLS. */
  readonly _parent?: Sending | null;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Changes when something was sent: chunks, or a part of one, which only undocumented fields tell (node:net uses them too). */
function sentOf(stream: Sending): string {
  const { bytesWritten = 0, writableLength, _parent: below } = stream;
  return `${bytesWritten - writableLength} ${(below ?? stream)._handle?.writeQueueSize}`;
}
