import { serve } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { createShared } from './app.ts';

export interface Hosts {
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/**
 * Servers in this process that share nothing but Redis, as several processes do (replicas.full.test.ts). `Where` returns the
 * number of the server that runs it.
 */
export async function startHosts(
  count: number,
  options: NonNullable<Parameters<typeof createShared>[0]>,
): Promise<Hosts> {
  const hosts: NodeHost[] = [];
  for (let id = 0; id < count; id++) hosts.push(await serve(createShared({ ...options, id }), { port: 0 }));
  return {
    urls: hosts.map(({ url }) => url),
    stop: async () => void (await Promise.all(hosts.map((host) => host.drain()))),
  };
}
