import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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
      for (const socket of this.#open) if (!responseOn(socket)?.req.complete) socket.destroy();
    });
  }
}

/**
 * What is being answered on a connection, as Node remembers it until it is sent. To remember it ourselves would keep a
 * request alive until the next, and V8 would take that for a reason to use more memory.
 */
function responseOn(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}
