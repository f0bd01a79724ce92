import type { Call } from './call.ts';
import type { CallState } from './call-state.ts';
import type { Failed } from './outcome.ts';
import type { Principal } from './principal.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** What a caller needs: all of these scopes, or nothing at all. `[]` is any caller that was recognised. */
export type Scopes = readonly string[] | 'public';

/** Scopes that are known from the start, or depend on the arguments. */
export type DeclaredScopes<Input = any> = Scopes | ((input: Input) => Scopes);

/** What has scopes: a function, or something else that not everybody may do. */
export type Scoped = Pick<RegisteredFunction, 'kind' | 'definition'>;

/** What the pipeline asks, if the app has rules. */
export interface Access {
  /**
   * Before the arguments are looked at: recognises the caller and checks the scopes that do not depend on them. Returns
   * the principal, or the refusal.
   */
  admit(call: Call, fn: Scoped): Principal | Failed | Promise<Principal | Failed>;
  /** For a function that does not exist: who presents wrong credentials must not learn that. */
  refuseUnknown(call: Call): Failed | Promise<Failed>;
  /** Whether `approve` has anything to check. */
  dependsOnInput(fn: RegisteredFunction): boolean;
  /** With valid arguments: the other scopes, and the author's policy. Undefined if the call may go on. */
  approve(fn: RegisteredFunction, input: unknown, state: CallState): Promise<Failed | undefined>;
  /** The scopes of something; without its arguments, those that do not depend on them. */
  scopesOf(fn: RegisteredFunction, input?: unknown): Scopes;
  /** Whether a principal may see something in lists; always true unless the app hides. */
  shows(principal: Principal, fn: RegisteredFunction): boolean;
  /** Whether the scopes of a principal are enough; without arguments, for the scopes that do not depend on them. */
  allows(principal: Principal, fn: RegisteredFunction, input?: unknown): boolean;
  /** Whether what a caller may not call seems not to exist. */
  readonly hides: boolean;
  /** Recognises a caller outside of a call, for lists. */
  identify(
    call: Pick<Call, 'principal' | 'outer' | 'credentials' | 'caller'>,
  ): Principal | Failed | Promise<Principal | Failed>;
}
