import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'everywire/node';
import express from 'express';
import { modules } from '../every-wire.ts';
import type { AppName } from '../every-wire.ts';
import { sendTo } from './http.ts';
import { oneOf } from './one-of.ts';
import { appOf } from './process.ts';

let server: Promise<Server> | undefined;

/** Inside an Express server, with every app below a path of its own. */
export const expressWire = oneOf(10, 3, {
  name: 'express',
  async call(name, fn, send, profile) {
    server ??= listening();
    const { port } = (await server).address() as AddressInfo;
    return sendTo(`http://127.0.0.1:${port}/${name}`, fn, send, profile);
  },
  async close() {
    const running = await server;
    running?.closeAllConnections();
    running?.close();
    server = undefined;
  },
});

async function listening(): Promise<Server> {
  const outer = express();
  for (const name of Object.keys(modules) as AppName[]) outer.use(`/${name}`, toNodeHandler(await appOf(name)));
  const started = outer.listen(0, '127.0.0.1');
  await once(started, 'listening');
  return started;
}
