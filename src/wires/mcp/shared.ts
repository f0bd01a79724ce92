import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { App } from '../../app.ts';
import type { Environment } from '../../core/context.ts';
import { createListings, mcpProfileOf } from './listings.ts';
import type { Kept } from './rounds.ts';
import type { McpShared } from './server.ts';

export interface SharedOptions {
  readonly environment?: Environment | undefined;
  /** `portable`: names without a dot, whatever the app's own policy. A call by either name resolves. */
  readonly names?: 'portable' | undefined;
}

/** All that the servers of an app share, made once. */
export function createShared(app: App, wire: string, { environment, names }: SharedOptions): McpShared {
  const key = app.secret ?? crypto.getRandomValues(new Uint8Array(32));
  return {
    app,
    listings: createListings(app, names === 'portable'),
    profile: mcpProfileOf(app),
    codec: createRequestStateCodec<Kept>({ key }),
    environment,
    wire,
  };
}
