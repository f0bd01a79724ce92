import type { Scopes } from '../core/access.ts';
import type { Caller } from '../core/context.ts';
import type { Failure } from '../core/failure.ts';
import type { PrincipalOptions, Principal } from '../core/principal.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Authenticator } from './authenticator.ts';
import type { ScopeHierarchy } from './scopes.ts';

/** Who may call what. */
export interface AccessOptions {
  /** The first that recognises the credential decides. */
  readonly authenticators?: readonly Authenticator[];
  /** The public address of the app, such as `https://api.example.com`: for metadata and challenges. */
  readonly url?: string;
  /** The authorization servers that issue tokens for this app, for its metadata (RFC 9728). */
  readonly servers?: readonly string[];
  /** What functions, resources and prompts need that do not say so; any recognised caller by default. */
  readonly scopes?: Scopes;
  /** Scopes that include others. */
  readonly implies?: ScopeHierarchy;
  /** Who calls from this process, from the command line and over stdio, without a credential. */
  readonly local?: PrincipalOptions;
  /** Lists contain only what the caller may call; everything else seems not to exist. */
  readonly hide?: boolean;
  /** For what scopes cannot say. Runs with valid arguments, before middleware. */
  readonly policy?: Policy;
  /** Request headers that functions see in `context.caller.headers`. */
  readonly headers?: readonly string[];
  /** CGI: the principal of a user that the web server has authenticated. */
  readonly user?: (name: string, type: string) => PrincipalOptions | undefined;
}

/** True or nothing: allowed. False or a Failure: refused. */
export type Policy = (request: {
  readonly principal: Principal;
  readonly function: RegisteredFunction;
  readonly input: unknown;
  readonly caller: Caller;
}) => boolean | void | Failure | Promise<boolean | void | Failure>;
