import { acceptOf, bodyOf, modules } from '../every-wire.ts';
import type { AppName, Wire } from '../every-wire.ts';
import { startServing } from './served.ts';
import type { Served } from './served.ts';

const servers = new Map<AppName, Promise<Served>>();

/** Over a socket, with `everywire serve` in its own process. */
export const httpWire: Wire = {
  name: 'http',
  async call(name, fn, send, profile) {
    const { url } = await servedApp(name);
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

/** One server for each app, started on first use. */
export function servedApp(name: AppName): Promise<Served> {
  let served = servers.get(name);
  if (!served) servers.set(name, (served = startServing(modules[name])));
  return served;
}
