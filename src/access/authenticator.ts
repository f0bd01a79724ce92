import type { Credentials } from '../core/credentials.ts';
import type { Principal } from '../core/principal.ts';

/** Why a credential is not accepted. Sent to the caller: it must not contain the credential. */
export interface Rejected {
  readonly rejected: string;
}

/** Undefined: the credential is not of this kind, and the next authenticator is asked. */
export type Verdict = Principal | Rejected | undefined;

/** Recognises callers. Created by `apiKeys`, `jwt`, `introspection` and `custom`. */
export interface Authenticator {
  readonly name: string;
  /** How the credential is sent, for the OpenAPI document. */
  readonly scheme: 'bearer' | 'apiKey' | 'either';
  /**
   * Throws if nothing can be said, such as when keys cannot be fetched. The call then fails. `reportError` logs what is
   * wrong although the call can be decided.
   */
  authenticate(credentials: Credentials, reportError: (thrown: unknown) => void): Verdict | Promise<Verdict>;
}

export const isRejected = (verdict: object): verdict is Rejected => 'rejected' in verdict;
