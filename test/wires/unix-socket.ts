import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createLineServer } from '../../examples/unix-socket/wire.ts';
import { bodyOf, type Wire } from '../every-wire.ts';
import { appOf, perApp } from './process.ts';

let folder: string | undefined;

const servers = perApp(async (name) => {
  folder ??= mkdtempSync(join(tmpdir(), 'everywire-lines-'));
  const server = createLineServer(await appOf(name)).listen(join(folder, `${name}.sock`));
  await once(server, 'listening');
  return server;
});

/** The wire of examples/unix-socket: written with the public entries alone, it carries the same bytes as the others. */
export const unixSocketWire: Wire = {
  name: 'unix-socket',
  async call(name, fn, send, profile) {
    const server = await servers.of(name);
    const request = JSON.stringify({ id: 1, function: fn, ...(profile && { profile }) });
    const body = bodyOf(send);
    const line =
      body.length === 0
        ? Buffer.from(request)
        : Buffer.concat([Buffer.from(`${request.slice(0, -1)},"arguments":`), body, Buffer.from('}')]);
    const response = await exchange(server.address() as string, line);
    const [, code = '', answer = ''] = /^\{"id":(?:1|null),"code":"(\w+)","body":(.*)\}$/.exec(response) ?? [];
    return { body: answer, ...(code !== 'OK' && { code }) };
  },
  cannot: ({ send }) => (bodyOf(send).includes(0x0a) ? 'a request is one line' : undefined),
  async close() {
    await servers.close((server) => new Promise((resolve) => server.close(resolve)));
    if (folder) rmSync(folder, { recursive: true });
  },
};

/** Sends a line and returns the first line that comes back. */
export async function exchange(path: string, line: Uint8Array | string): Promise<string> {
  const socket = connect(path);
  socket.write(line);
  socket.write('\n');
  const [response] = (await once(createInterface(socket), 'line')) as [string];
  socket.destroy();
  return response;
}
