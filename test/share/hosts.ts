import { serve } from 'everywire/node';
import { createShared } from './app.ts';

export interface Hosts {
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/**
 * Servers in this process that share nothing but Redis, as several processes do (replicas.full.test.ts). `Where` returns the
 * number of the server that runs it.
 */
export async function startHosts(count: number, options: Parameters<typeof createShared>[0]): Promise<Hosts> {
  const apps = Array.from({ length: count }, (_, id) => createShared({ ...options, id }));
  const hosts = await Promise.all(apps.map((app) => serve(app, { port: 0 })));
  return {
    urls: hosts.map(({ url }) => url),
    async stop() {
      await Promise.all(hosts.map((host) => host.drain()));
      await Promise.all(apps.map((app) => app.close())); // their connections to Redis
    },
  };
}
