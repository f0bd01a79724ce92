import type { Credentials } from '../core/credentials.ts';
import { toPrincipal } from '../core/principal.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import { isRejected } from './authenticator.ts';
import type { Authenticator, Rejected, Verdict } from './authenticator.ts';
import { isName, RESERVED } from './token-options.ts';

type Custom = PrincipalOptions | Rejected | undefined;

/** An authenticator of one's own. Return undefined for credentials that it does not know. */
export function custom(
  name: string,
  authenticate: (credentials: Credentials) => Custom | Promise<Custom>,
): Authenticator {
  if (!isName(name) || RESERVED.has(name))
    throw new TypeError(
      `custom: the name of an authenticator must be a string, and none of ${[...RESERVED].join(', ')}`,
    );
  if (typeof authenticate !== 'function') throw new TypeError(`custom: ${name} must be a function`);
  const toVerdict = (found: Custom): Verdict => {
    if (found === undefined) return undefined;
    return isRejected(found) ? found : toPrincipal(found, name);
  };
  return {
    name,
    scheme: 'either',
    authenticate(credentials) {
      const found = authenticate(credentials);
      return found instanceof Promise ? found.then(toVerdict) : toVerdict(found);
    },
  };
}
