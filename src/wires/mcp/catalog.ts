import type { App } from '../../app/app.ts';
import type { Environment } from '../../core/context.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { createListings, mcpProfileOf } from './listings.ts';
import type { Listings } from './listings.ts';

/** What an app offers over MCP, to the lane and to official servers alike. */
export interface Offer {
  readonly app: App;
  readonly capabilities: typeof CAPABILITIES;
  readonly listings: Listings;
  readonly profile: Profile;
  /** How long clients may keep what changes only when they are told. */
  readonly caching: typeof CACHED;
  readonly environment: Environment | undefined;
  /** The wire's name, in records. */
  readonly wire: string;
}

export interface OfferOptions {
  readonly environment?: Environment | undefined;
  /** `portable`: names without a dot, whatever the app's own policy. A call by either name resolves. */
  readonly names?: 'portable' | undefined;
}

const CACHED = { ttlMs: 300_000, cacheScope: 'public' } as const;

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

export function createOffer(app: App, wire: string, { environment, names }: OfferOptions): Offer {
  return {
    app,
    capabilities: CAPABILITIES,
    listings: createListings(app, names === 'portable'),
    profile: mcpProfileOf(app),
    caching: CACHED,
    environment,
    wire,
  };
}

/** Only who can be asked, or told of something later, needs to be remembered: any process may answer the rest. */
export function needsSession(app: App, capabilities: object): boolean {
  const canBeAsked = ['elicitation', 'sampling', 'roots'].some((name) => name in capabilities);
  return canBeAsked || app.resources.list.length > 0;
}
