import type { AuditOptions } from '../core/audit.ts';
import type { Call, Pipeline } from '../core/call.ts';
import type { Caller } from '../core/context.ts';
import { refuse } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import type { RegisteredFunction, Registry } from '../core/registry.ts';
import { createAuditor } from './auditor.ts';
import type { AuditedRun } from './auditor.ts';
import type { Violation } from './check-response.ts';
import type { Guard } from './guard.ts';
import type { Profile, ProfileName } from './profiles/profile.ts';
import type { Profiles } from './profiles/profiles.ts';

/** What a call came to, and the body that says so. */
export interface Answer {
  readonly outcome: Outcome;
  /** JSON; empty where nobody asked for a body. */
  readonly body: string;
  readonly fn: RegisteredFunction | undefined;
  /** By which an audit record can be found, if there is one. */
  readonly requestId?: string | undefined;
}

/** A call, from this process unless it says otherwise. */
type Respondable = Omit<Call, 'caller'> & Partial<Pick<Call, 'caller'>>;

/** From a decoded request to a body, or to none without a profile. Wires use this; it never throws. */
export type Respond = (call: Respondable, profile?: Profile | ProfileName) => Answer | Promise<Answer>;

const THIS_PROCESS: Caller = Object.freeze({ wire: 'process' });

export interface ResponderOptions {
  readonly registry: Registry;
  readonly dispatch: Pipeline;
  readonly profiles: Profiles;
  readonly audit?: AuditOptions | undefined;
  /** Checks bodies before they are sent. */
  readonly guard?: Guard | undefined;
}

export function createResponder({ registry, dispatch, profiles, audit, guard }: ResponderOptions): Respond {
  const auditor = audit && createAuditor(audit);

  return (asked, wanted) => {
    const call: Call = asked.caller ? (asked as Call) : { ...asked, caller: THIS_PROCESS };
    const profile = typeof wanted === 'string' ? profiles[wanted] : wanted;
    const fn = registry.find(call.name);
    const run = auditor?.(call, fn);
    const outcome = run ? run.run(() => dispatch({ ...call, trace: run.trace })) : dispatch(call);
    const end = (ended: Outcome) => finish(ended, fn, profile, run);
    return outcome instanceof Promise ? outcome.then(end) : end(outcome);
  };

  function finish(
    outcome: Outcome,
    fn: RegisteredFunction | undefined,
    profile: Profile | undefined,
    run: AuditedRun | undefined,
  ): Answer {
    let answer = render(outcome, fn, profile);
    let violations: readonly Violation[] = [];
    if (guard && profile) {
      const verdict = guard(answer.body, { profile, function: fn });
      ({ violations } = verdict);
      if (verdict.failure) answer = { ...answer, outcome: verdict.failure };
      if (verdict.body !== undefined) answer = { ...answer, body: verdict.body };
    }
    if (!run) return answer;
    const { ok } = answer.outcome;
    run.end(ok ? 'OK' : answer.outcome.error.code, profile && answer.body, violations);
    return { ...answer, requestId: run.requestId };
  }
}

/** An outcome as its profile says it, as text. */
export function render(outcome: Outcome, fn: RegisteredFunction | undefined, profile: Profile | undefined): Answer {
  if (!profile) return { outcome, body: '', fn };
  try {
    return { outcome, body: profile.write?.(outcome, fn) ?? JSON.stringify(profile.render(outcome, fn)), fn };
  } catch {
    // Checked data can still change: a getter that answers once and throws the second time.
    return render(refuse('INVALID_OUTPUT', 'Invalid output: cannot be read'), fn, profile);
  }
}
