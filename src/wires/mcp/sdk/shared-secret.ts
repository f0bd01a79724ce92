import type { AppShare } from '../../../app/app-share.ts';
import type { FindSecret } from './request-state.ts';

const KEY = 'mcp-secret';
const DAY = 86_400_000;

/** Milliseconds for which a secret is used without asking again. */
const FRESH = 60_000;

/** A random secret that all processes of an app share. If Redis has lost it, the first process that asks brings it back. */
export function createSharedSecret(share: AppShare): FindSecret {
  let secret: string | undefined;
  let askedAt = -Infinity;
  return async () => {
    if (secret !== undefined && performance.now() - askedAt < FRESH) return secret;
    try {
      secret = await (await share.state()).add(KEY, secret ?? randomSecret(), DAY);
    } catch (thrown) {
      if (secret === undefined) throw thrown;
    }
    askedAt = performance.now();
    return secret;
  };
}

function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
