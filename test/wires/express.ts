import { toNodeHandler } from 'everywire/node';
import express from 'express';
import { startServer, type Server } from '../access/issuer.ts';
import { modules, type AppName } from '../every-wire.ts';
import { sendTo } from './http.ts';
import { oneOf } from './one-of.ts';
import { appOf } from './process.ts';

let server: Promise<Server> | undefined;

/** Inside an Express server, with every app below a path of its own. */
export const expressWire = oneOf(10, 3, {
  name: 'express',
  async call(name, fn, send, profile) {
    server ??= listening();
    return sendTo(`${(await server).url}/${name}`, fn, send, profile);
  },
  async close() {
    await (await server)?.[Symbol.asyncDispose]();
    server = undefined;
  },
});

async function listening(): Promise<Server> {
  const outer = express();
  for (const name of Object.keys(modules) as AppName[]) outer.use(`/${name}`, toNodeHandler(await appOf(name)));
  return startServer(outer);
}
