import { Memo } from '../core/memo.ts';
import type { Principal } from '../core/principal.ts';

/** Which scopes include others: `{ admin: ['write'], write: ['read'] }`. */
export interface ScopeHierarchy {
  readonly [scope: string]: readonly string[];
}

/** Everything. */
const ALL = '*';
const NONE: readonly string[] = Object.freeze([]);

/** Compares the scopes of principals with those that a call needs. */
export class ScopeRules {
  /** By principal: authenticators return the same object for the same credential. */
  readonly #held = new Memo<Principal, ReadonlySet<string>>();

  constructor(private readonly implies: ScopeHierarchy) {}

  /** Those that the principal lacks. */
  missing(principal: Principal, required: readonly string[]): readonly string[] {
    if (required.length === 0) return required;
    const held = this.#heldBy(principal);
    const isEnough = required.length === 1 ? held.has(required[0]!) : required.every((scope) => held.has(scope));
    return isEnough || held.has(ALL) ? NONE : required.filter((scope) => !held.has(scope));
  }

  #heldBy(principal: Principal): ReadonlySet<string> {
    let held = this.#held.get(principal);
    if (!held) this.#held.set(principal, (held = this.#withImplied(principal.scopes)));
    return held;
  }

  #withImplied(scopes: readonly string[]): ReadonlySet<string> {
    const held = new Set(scopes);
    // A Set visits what is added while it is walked.
    for (const scope of held) {
      for (const implied of Object.hasOwn(this.implies, scope) ? this.implies[scope]! : []) held.add(implied);
    }
    return held;
  }
}
