import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Listener } from '../../src/bin/dev/listener.ts';
import type { VersionProcess } from '../../src/bin/dev/version-process.ts';

it('a client that leaves while its request is read leaves no connection to the version', async () => {
  const sockets: Socket[] = [];
  const connect = async () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  const server = createServer().listen(0);
  await once(server, 'listening');
  const sent = request({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    headers: { 'content-length': 9 },
  });
  sent.on('error', () => {});
  sent.write('half');
  const [received, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const attached = new Listener(received, response).attach({ connect } as unknown as VersionProcess, () => {});
  sent.destroy();
  await expect(attached).rejects.toThrow('aborted');
  expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
  server.close();
});
