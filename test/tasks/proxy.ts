import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** A way to a server that can be closed, or swallow everything, and be opened again. */
export interface Proxy {
  readonly url: string;
  /** No connection is left, and there are no new ones. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Passes nothing on, until it is opened. */
  hang(): void;
  /** Passes nothing on what is connected now, for ever. */
  lose(): void;
  /** Answers every command on what is connected now with an error, for ever, as a Redis that became a replica. */
  spoil(error: string): void;
  /** Ends every connection at once, until it is opened. */
  hangUp(): void;
  /** How many connections there were. */
  readonly connections: number;
}

/** To a Redis, or to a PostgreSQL on a Unix socket. */
export async function startProxy(target: string): Promise<Proxy> {
  const url = new URL(target);
  const folder = url.searchParams.get('host');
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const lost = new Set<Socket>();
  const spoiled = new Map<Socket, string>();
  let isHanging = false;
  let isHangingUp = false;
  let connections = 0;
  let port = 0;

  const toTarget = () => (folder ? connect(join(folder, '.s.PGSQL.5432')) : connect(Number(new URL(target).port)));

  async function open(): Promise<void> {
    isHanging = false;
    isHangingUp = false;
    for (const socket of sockets) if (!lost.has(socket)) socket.resume();
    if (server) return;
    server = createServer((socket) => {
      connections++;
      if (isHangingUp) {
        socket.destroy();
        return;
      }
      const other = toTarget();
      for (const [one, two] of [
        [socket, other],
        [other, socket],
      ] as const) {
        sockets.add(one);
        one.on('data', (data: Buffer) => {
          const answer = one === socket ? spoiled.get(socket) : undefined;
          if (answer) one.write(answer.repeat(data.toString('latin1').match(/\*\d+\r\n\$/g)?.length ?? 0));
          else two.write(data);
        });
        one.on('error', () => {});
        one.on('close', () => {
          sockets.delete(one);
          two.destroy();
        });
        if (isHanging) one.pause();
      }
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }

  await open();
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = `${port}`;
  return {
    url: url.href,
    open,
    async close() {
      const closed = server && once(server, 'close');
      server?.close();
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    get connections() {
      return connections;
    },
    lose() {
      for (const socket of sockets) lost.add(socket.pause());
    },
    spoil(error) {
      for (const socket of sockets) spoiled.set(socket, `-${error}\r\n`);
    },
    hangUp() {
      isHangingUp = true;
      for (const socket of sockets) socket.destroy();
    },
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.pause();
    },
  };
}
