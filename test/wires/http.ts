import { acceptOf, bodyOf, modules } from '../every-wire.ts';
import type { AppName, Wire } from '../every-wire.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

interface HttpWire extends Wire {
  /** One server for each app, started on first use. */
  served(name: AppName): Promise<Served>;
}

/** Over a socket, with a server in its own process. */
export function httpWireOf(start: (name: AppName) => Promise<Served>): HttpWire {
  const servers = new Map<AppName, Promise<Served>>();
  const served = (app: AppName) => {
    const known = servers.get(app) ?? start(app);
    servers.set(app, known);
    return known;
  };
  return {
    name: 'http',
    served,
    async call(app, fn, send, profile) {
      const { url } = await served(app);
      const response = await fetch(`${url}/functions/${encodeURIComponent(fn)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...acceptOf(profile) },
        body: bodyOf(send).slice(),
      });
      const code = response.headers.get('everywire-error-code');
      return { body: await response.text(), status: response.status, ...(code && { code }) };
    },
    async close() {
      await Promise.all([...servers.values()].map(async (server) => (await server).stop()));
      servers.clear();
    },
  };
}

/** With `everywire serve`. */
export const httpWire = httpWireOf((name) => startServing(modules[name]));

export const servedApp = httpWire.served;
