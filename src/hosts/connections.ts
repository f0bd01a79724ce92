import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Every connection, with the latest response on it; none while it has not asked for anything. */
export class Connections {
  readonly #latest = new Map<Duplex, ServerResponse | undefined>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Duplex) => {
      this.#latest.set(socket, undefined);
      socket.once('close', () => this.#latest.delete(socket));
    });
  }

  follow(socket: Duplex, response: ServerResponse): void {
    if (this.#latest.has(socket)) this.#latest.set(socket, response);
  }

  /** After the answers under way: with pipelining, garbage may follow a request that is still being worked on. */
  whenQuiet(socket: Duplex, act: () => void): void {
    const response = this.#latest.get(socket);
    if (response?.req.complete && !response.writableFinished && !response.destroyed) response.once('close', act);
    else act();
  }

  closeWithin(patience: number): Promise<boolean> {
    return new Promise((resolve) => {
      const force = setTimeout(() => {
        this.server.closeAllConnections();
        resolve(false);
      }, patience);
      this.server.close(() => {
        clearTimeout(force);
        resolve(true);
      });
      this.server.closeIdleConnections();
      // To Node, a connection that never asked, or has not finished asking, is not idle.
      for (const [socket, response] of this.#latest) if (!response?.req.complete) socket.destroy();
    });
  }
}
