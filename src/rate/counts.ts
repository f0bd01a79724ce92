import type { Call } from '../core/call.ts';
import { isAnonymous } from '../core/principal.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import { addressKey } from './address-key.ts';
import type { Limit } from './limit.ts';
import type { Count } from './rate-store.ts';

/** Ids of principals may be long, and the number of keys times their length is what is kept. */
const MAX_KEY = 256;

/** What a call counts against. */
export function countsOf(limits: readonly Limit[], call: Call, fn: RegisteredFunction): Count[] {
  return limits.map((limit) => ({ limit, key: keyOf(limit, call, fn).slice(0, MAX_KEY) }));
}

function keyOf({ per }: Limit, call: Call, fn: RegisteredFunction): string {
  if (per === 'principal') return principalKey(call);
  if (per === 'address') return addressOf(call);
  return per === 'function' ? fn.operationId : 'app';
}

/** Strangers are all the same principal, and one of them must not use up what the others need. */
function principalKey(call: Call): string {
  const { principal } = call;
  return principal && !isAnonymous(principal) ? `${principal.kind}:${principal.id}` : `@${addressOf(call)}`;
}

/** All callers without an address count as one: on the command line, over stdio and in this process there is none. */
function addressOf({ caller: { address } }: Call): string {
  return address === undefined ? 'local' : addressKey(address);
}
