import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Connections that another process accepts, and hands over to this one. */
export interface Handover {
  /** Where the other process listens. */
  readonly address: AddressInfo;
  /** Called once. */
  readonly onConnection: (take: (socket: Socket) => void) => void;
  /** What all processes sign the state of MCP clients with, unless the app has a secret of its own. */
  readonly secret: string | undefined;
  /** Whether there are no MCP sessions, since the processes could not share them. */
  readonly stateless: boolean;
  /** Whether a process with other code will take over from this one. */
  readonly isChanging?: boolean;
}

/** Serves these connections as if the server had accepted them itself. */
export function serveHandedOver(server: Server, { onConnection }: Handover): void {
  // On this event, node:http begins to watch its time limits.
  server.emit('listening');
  onConnection((socket) => {
    // As a server of node:http does.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit('connection', socket);
  });
}
