import type { App } from '../../../app/app.ts';
import type { Code } from '../../../core/codes.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';

type Requirement = Readonly<Record<string, readonly string[]>>;

/** What a document says about access. */
export interface Security {
  /** What operations need that do not say so themselves. */
  readonly byDefault: readonly Requirement[];
  readonly schemes: Readonly<Record<string, object>> | undefined;
  /** What an operation needs, if it is not the default. */
  readonly of: (fn: RegisteredFunction) => { readonly security?: readonly Requirement[] };
  /** What the operations on tasks need: the credentials of those who may start them. */
  readonly ofTasks: (functions: readonly RegisteredFunction[]) => { readonly security?: readonly Requirement[] };
  /** The codes of refusals. */
  readonly refusalsOf: (fn: RegisteredFunction) => readonly Code[];
}

/** An empty list says explicitly that nobody needs to authenticate. */
const OPEN: Security = {
  byDefault: [],
  schemes: undefined,
  of: () => ({}),
  ofTasks: () => ({}),
  refusalsOf: () => [],
};

const BEARER = { type: 'http', scheme: 'bearer', description: 'A token or an API key.' };
const API_KEY = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' };

/** `old`: in OpenAPI 3.0, only OAuth has scopes. */
export function describeSecurity({ access }: App, old: boolean): Security {
  if (!access) return OPEN;
  const { authenticators = [], servers = [], scopes: byDefault = [], policy } = access.options;
  const sent = new Set(authenticators.map(({ scheme }) => scheme));
  const schemes = {
    ...((sent.has('bearer') || sent.has('either') || servers.length > 0 || sent.size === 0) && { bearer: BEARER }),
    ...((sent.has('apiKey') || sent.has('either')) && { apiKey: API_KEY }),
  };
  const scopesOf = ({ definition: { scopes = byDefault } }: RegisteredFunction) => scopes;
  /** Any of the schemes will do. Scopes that depend on the arguments cannot be listed. */
  const require = (scopes: ReturnType<typeof scopesOf>): readonly Requirement[] =>
    scopes === 'public'
      ? []
      : Object.keys(schemes).map((name) => ({ [name]: old || typeof scopes === 'function' ? [] : scopes }));
  const common = require(byDefault);
  const unlessCommon = (security: readonly Requirement[]) =>
    JSON.stringify(security) === JSON.stringify(common) ? {} : { security };
  return {
    byDefault: common,
    schemes,
    of: (fn) => unlessCommon(require(scopesOf(fn))),
    ofTasks: (functions) => {
      const isOpen = functions.some((fn) => scopesOf(fn) === 'public');
      return unlessCommon([...require([]), ...(isOpen ? [{}] : [])]);
    },
    // Wrong credentials are refused everywhere.
    refusalsOf: (fn) => (scopesOf(fn) === 'public' && !policy ? ['UNAUTHENTICATED'] : ['UNAUTHENTICATED', 'FORBIDDEN']),
  };
}
