import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { App } from '../../app.ts';
import type { Variables } from '../../core/context.ts';
import { createListings, mcpProfileOf } from './listings.ts';
import type { Kept } from './rounds.ts';
import type { McpShared } from './server.ts';

/** All that the servers of an app share, made once. */
export function createShared(app: App, wire: string, env: Variables | undefined): McpShared {
  const key = app.secret ?? crypto.getRandomValues(new Uint8Array(32));
  return {
    app,
    listings: createListings(app),
    profile: mcpProfileOf(app),
    codec: createRequestStateCodec<Kept>({ key }),
    env,
    wire,
  };
}
