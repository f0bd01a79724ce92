import { toPrincipal } from '../core/principal.ts';
import type { Principal, PrincipalOptions } from '../core/principal.ts';
import type { Authenticator } from './authenticator.ts';

/** Principals by the hash of their key: `sha256:<64 hexadecimal digits>`. */
export interface ApiKeys {
  readonly [hash: string]: PrincipalOptions;
}

export interface ApiKeyOptions {
  readonly keys: ApiKeys;
}

const HASH = /^sha256:[0-9a-f]{64}$/;

/**
 * Keys in `X-API-Key` or `Authorization: Bearer`. Only their SHA-256 is stored. The hash is looked up, so the time that
 * it takes says nothing about a key: who guesses keys cannot choose their hashes.
 */
export function apiKeys({ keys }: ApiKeyOptions): Authenticator {
  const principals = readKeys(keys);
  const find = async (key: string) => principals.get(await sha256(key));
  return {
    name: 'api-key',
    scheme: 'either',
    async authenticate({ apiKey, bearer }) {
      if (apiKey !== undefined) return (await find(apiKey)) ?? { rejected: 'the API key is unknown' };
      return bearer === undefined ? undefined : find(bearer);
    },
  };
}

export function readKeys(keys: ApiKeys): ReadonlyMap<string, Principal> {
  const entries = Object.entries(keys).map(([hash, principal]) => {
    if (!HASH.test(hash))
      throw new TypeError(
        `apiKeys: expected "sha256:" and 64 hexadecimal digits, got a name of ${hash.length} characters`,
      );
    return [hash, toPrincipal(principal, 'key')] as const;
  });
  return new Map(entries);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
