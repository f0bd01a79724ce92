import type { App } from '../../app/app.ts';

/** Why several processes would not serve an app as one does: what they would have to share is in the memory of each. */
export function mistakeInSharing({ rates, functions, store }: App): string | undefined {
  const hasRates = rates.length > 0 || functions.some(({ definition }) => definition.rate !== undefined);
  if (hasRates && store.redis === undefined)
    return `each process would count calls for its own rate limits; ${SHARE}, or use --workers 1`;
  const hasTasks = functions.some(({ definition: { task = 'never' } }) => task !== 'never');
  if (hasTasks && store.url === undefined) return `each process would have its own tasks; ${SHARE}, or use --workers 1`;
  return undefined;
}

const SHARE = 'share them with --store redis://…';

/** PostgreSQL alone shares tasks only. */
export const sharesSessions = ({ store }: App) => store.redis !== undefined;

export function noteOnSessions(app: App): string | undefined {
  if (sharesSessions(app) || app.limits.sessions === 0) return undefined;
  return `MCP sessions (2025-11-25) are off, since each process would have its own; ${SHARE}`;
}
