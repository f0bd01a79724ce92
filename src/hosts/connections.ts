import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { responseOn } from './response-on.ts';

/** How long connections stay open after the last call, when the server stops: what is on its way is still answered. */
const LINGER = 250;

/** How long connections that wait to be taken may go on coming. */
const LONGEST_QUEUE = 500;

/** Every connection. */
export class Connections {
  readonly #open = new Set<Duplex>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Duplex) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  /** After the answers under way: with pipelining, garbage may follow a request that is still being worked on. */
  whenQuiet(socket: Duplex, act: () => void): void {
    const response = responseOn(socket);
    if (response?.req.complete && !response.destroyed) response.once('close', () => this.whenQuiet(socket, act));
    else act();
  }

  /** Soon takes no new connections, waits for the answers under way, and closes the rest. False if it had to cut one off. */
  closeWithin(patience: number): Promise<boolean> {
    const { server } = this;
    return new Promise<boolean>((resolve) => {
      const watched = new WeakSet<ServerResponse>();
      let linger: NodeJS.Timeout | undefined;
      const look = () => {
        const answering = this.#answering();
        for (const response of answering) if (!watched.has(response)) lookAfter(response);
        clearTimeout(linger);
        if (answering.length === 0) linger = setTimeout(end, Math.min(LINGER, patience / 2));
      };
      const end = () => {
        if (this.#answering().length === 0) for (const socket of this.#open) socket.destroy();
      };
      const lookAfter = (response: ServerResponse) => {
        watched.add(response);
        // Only then does Node know what comes next on the connection.
        response.once('close', () => setImmediate(look));
      };
      for (const event of ['request', 'checkContinue', 'checkExpectation'])
        server.on(event, (_request, response: ServerResponse) => {
          lookAfter(response);
          look();
        });
      look();
      const force = setTimeout(() => {
        resolve(this.#answering().length === 0);
        server.closeAllConnections();
      }, patience);
      const stopListening = () => {
        // Not server.close(): it would close idle connections at once, with requests on their way.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(linger);
          clearTimeout(force);
          resolve(true);
        });
        look();
      };
      void this.#takeWaiting(Math.min(LONGEST_QUEUE, patience / 4)).then(stopListening);
    }).finally(() => server.close()); // stops its timers, too
  }

  /** Takes the connections that a busy process has not seen yet: to stop listening would reset them. */
  async #takeWaiting(most: number): Promise<void> {
    const end = performance.now() + most;
    let idle = 0;
    const taken = () => void (idle = 0);
    this.server.on('connection', taken);
    // Node takes as little as one in each turn of its loop.
    while (idle++ < 3 && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
    this.server.off('connection', taken);
  }

  /** Answers under way. A request that has not come whole is not waited for. */
  #answering(): ServerResponse[] {
    return [...this.#open].flatMap((socket) => {
      const response = responseOn(socket);
      return response?.req.complete ? [response] : [];
    });
  }
}

/**
 * Whether nothing was asked on its connection after a request, as Node's parser remembers it. With pipelining, an answer
 * that closes the connection would take the answers after it along.
 */
export function isLast(request: IncomingMessage): boolean {
  const { parser } = request.socket as { parser?: { incoming?: IncomingMessage | null } | null };
  return (parser?.incoming ?? request) === request;
}
