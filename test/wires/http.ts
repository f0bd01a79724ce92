import { serve } from 'everywire/node';
import type { ProfileName } from 'everywire';
import { acceptOf, bodyOf, type AppName, type Send, type Wire } from '../every-wire.ts';
import { asJson } from '../kit/as-json.ts';
import { appOf, perApp } from './process.ts';

interface Server {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** Posts a call to the server of an app, and reads what came back. */
export async function sendTo(url: string, fn: string, send: Send, profile?: ProfileName, by = fetch) {
  const init = { ...asJson('', acceptOf(profile)), body: bodyOf(send).slice() };
  return read(await by(new Request(`${url}/functions/${encodeURIComponent(fn)}`, init)));
}

/** Through app.fetch, with web-standard requests. */
export const fetchWire: Wire = {
  name: 'fetch',
  call: async (name, fn, send, profile) =>
    sendTo('http://localhost', fn, send, profile, (await appOf(name)).fetch as typeof fetch),
};

/** What a response says of a behaviour. */
export async function read(response: Response) {
  const code = response.headers.get('everywire-error-code');
  return { body: await response.text(), status: response.status, ...(code && { code }) };
}

interface HttpWire extends Wire {
  /** One server for each app, started on first use. */
  served(name: AppName): Promise<Server>;
}

/** Over a socket. */
export function httpWireOf(start: (name: AppName) => Promise<Server>): HttpWire {
  const servers = perApp(start);
  return {
    name: 'http',
    served: servers.of,
    call: async (app, fn, send, profile) => sendTo((await servers.of(app)).url, fn, send, profile),
    close: () => servers.close((server) => server.stop()),
  };
}

/** With `serve`, in this process. The apps are not stopped: other wires use them. */
export const httpWire = httpWireOf(async (name) => {
  const { url, server } = await serve(await appOf(name), { port: 0 });
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url, stop };
});

export const servedApp = httpWire.served;
