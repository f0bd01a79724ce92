import { checkServeOptions } from './check-serve-options.ts';
import { mountsOf } from './mounts.ts';
import type { Apps } from './mounts.ts';
import { listen } from './node.ts';
import type { NodeHost, ServeOptions } from './node.ts';

/** Serves several apps on one port, each below its own path: `createServer({ '/v1': v1, '/v2': v2 })`. */
export async function createServer(apps: Apps, options: ServeOptions = {}): Promise<NodeHost> {
  checkServeOptions(options, 'createServer');
  return listen(mountsOf(apps), options);
}
