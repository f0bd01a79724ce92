import type { Call } from '../core/call.ts';
import type { Caller } from '../core/context.ts';
import { isAnonymous } from '../core/principal.ts';
import type { Principal } from '../core/principal.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import { hexDigest } from '../schema/hex-digest.ts';
import { addressKey } from './address-key.ts';
import type { Limit } from './limit.ts';
import type { Count } from './rate-store.ts';

/** Ids of principals may be long, and the number of keys times their length is what is kept. Longer ones are replaced by digests. */
const MAX_KEY = 256;

/** What a call counts against. */
export function countsOf(
  limits: readonly Limit[],
  { caller }: Call,
  fn: RegisteredFunction,
  principal: Principal | undefined,
): Count[] {
  const keyOf = ({ per }: Limit) => {
    if (per === 'principal') return principalKey(principal, caller);
    if (per === 'address') return addressOf(caller);
    return per === 'function' ? fn.operationId : 'app';
  };
  return limits.map((limit) => ({ limit, key: keyOf(limit) }));
}

/** Undefined if no key is long. */
export function shorten(counts: readonly Count[]): Promise<Count[]> | undefined {
  if (!counts.some(({ key }) => key.length > MAX_KEY)) return undefined;
  return Promise.all(counts.map(async ({ limit, key }) => ({ limit, key: await toShort(key) })));
}

const toShort = async (key: string) => (key.length > MAX_KEY ? hexDigest(JSON.stringify(key)) : key);

/** Strangers are all the same principal, and one of them must not use up what the others need. */
function principalKey(principal: Principal | undefined, caller: Caller): string {
  return principal && !isAnonymous(principal) ? `${principal.kind}:${principal.id}` : `@${addressOf(caller)}`;
}

/** All callers without an address count as one: on the command line, over stdio and in this process there is none. */
function addressOf({ address }: Caller): string {
  return address === undefined ? 'local' : addressKey(address);
}
