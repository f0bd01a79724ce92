import type { AuditOptions, AuditRecord } from '../audit/record.ts';
import type { CallEvent } from '../core/call-event.ts';
import type { Call } from '../core/call.ts';
import type { Pipeline } from '../core/pipeline.ts';
import type { Caller } from '../core/context.ts';
import { isFailure, userFailure } from '../core/failure.ts';
import { isFileHandle } from '../core/file-handle.ts';
import type { Limits } from '../core/limits.ts';
import type { Observers } from '../core/observers.ts';
import { success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Registry } from '../core/registry.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Report } from '../core/report.ts';
import { createAuditor } from './auditor.ts';
import type { AuditedRun } from './auditor.ts';
import type { RenderChecked } from './checked-answer.ts';
import type { Profile, ProfileName } from '../responses/profiles/profile.ts';
import type { Profiles } from '../responses/profiles/profiles.ts';

/** The outcome of a call and its rendered body. */
export interface Answer {
  readonly outcome: Outcome;
  /** JSON; empty without a profile, and for a file that the wire takes as it is. */
  readonly body: string;
  readonly fn: RegisteredFunction | undefined;
  /** Identifies the audit record, if there is one. */
  readonly requestId?: string | undefined;
}

/** A call whose `caller` defaults to this process, and whose `fn` is looked up by name unless it is set. */
export type RequestedCall = Omit<Call, 'caller' | 'fn'> & Partial<Pick<Call, 'caller' | 'fn'>>;

/** Turns a decoded request into a body; without a profile, there is none. Never throws. For wires. */
export type Respond = (call: RequestedCall, profile?: Profile | ProfileName) => Answer | Promise<Answer>;

export const THIS_PROCESS: Caller = Object.freeze({ wire: 'process', isLocal: true });

export interface ResponderOptions {
  readonly registry: Registry;
  readonly dispatch: Pipeline;
  readonly profiles: Profiles;
  readonly audit?: AuditOptions | undefined;
  readonly renderChecked: RenderChecked;
  readonly report: Report;
  readonly events: Observers<CallEvent>;
  readonly records: Observers<AuditRecord>;
  readonly limits: Limits;
}

export function createResponder(options: ResponderOptions): Respond {
  const { registry, dispatch, profiles, audit, renderChecked, report, events, records, limits } = options;
  const auditor = createAuditor(
    { ...audit, to: [...[audit?.to ?? []].flat(), (record) => records.emit(record)] },
    report,
  );

  return (request, requestedProfile) => {
    const { fn = registry.find(request.name), caller = THIS_PROCESS } = request;
    const call: Call = request.fn && request.caller ? (request as Call) : { ...request, fn, caller };
    const profile = typeof requestedProfile === 'string' ? profiles[requestedProfile] : requestedProfile;
    const audited = audit || records.isObserved ? auditor(call, fn) : undefined;
    const watched = events.isObserved ? watch(call) : undefined;
    const outcome = audited ? audited.run(() => dispatch({ ...call, trace: audited.trace })) : dispatch(call);
    const end = (ended: Outcome) => {
      const answer = finish(ended, fn, profile, audited);
      watched?.(answer.outcome);
      return answer;
    };
    if (!(outcome instanceof Promise)) return end(outcome);
    return outcome.then(fn?.returnsFile ? (late) => endWithFile(late, Boolean(request.takesFile), end) : end);
  };

  /** What middleware returned may be unread where it must be read, and the other way round. */
  async function endWithFile(outcome: Outcome, takesFile: boolean, end: (outcome: Outcome) => Answer): Promise<Answer> {
    if (!outcome.ok || outcome.task || isFileHandle(outcome.data) === takesFile) return end(outcome);
    try {
      const { convertFile } = await import('../core/file-results.ts');
      return end(success(await convertFile(outcome.data, limits.file), outcome.content));
    } catch (thrown) {
      return end(isFailure(thrown) ? userFailure(thrown) : report.thrown(thrown));
    }
  }

  /** Reports that a call was decoded; the function that it returns, how it was answered. */
  function watch({ name, fn, caller, task }: Call): (outcome: Outcome) => void {
    const about = { wire: caller.wire, subject: fn?.operationId ?? name, ...(task && { task: task.id }) };
    const start = performance.now();
    events.emit({ step: 'decoded', ...about });
    return (outcome) => {
      const code = outcome.ok ? 'OK' : outcome.error.code;
      events.emit({
        step: 'answered',
        ...about,
        code,
        duration: Math.round((performance.now() - start) * 1000) / 1000,
      });
    };
  }

  function finish(
    outcome: Outcome,
    fn: RegisteredFunction | undefined,
    profile: Profile | undefined,
    audited: AuditedRun | undefined,
  ): Answer {
    const file = fn?.returnsFile && outcome.ok && isFileHandle(outcome.data) ? outcome.data : undefined;
    const { answer, violations } = file
      ? { answer: { outcome, body: '', fn }, violations: [] }
      : renderChecked(outcome, fn, profile, audit && audited?.requestId);
    if (!audited) return answer;
    const { ok } = answer.outcome;
    const started = ok ? answer.outcome.task : undefined;
    audited.end(
      ok ? 'OK' : answer.outcome.error.code,
      file ? file.size : profile && answer.body,
      violations,
      started && { id: started.taskId },
    );
    // Nobody notices that somebody watches.
    return audit ? { ...answer, requestId: audited.requestId } : answer;
  }
}

/** Renders an outcome as JSON in a profile. Throws if reading its data throws. */
export function render(outcome: Outcome, fn: RegisteredFunction | undefined, profile: Profile | undefined): Answer {
  if (!profile) return { outcome, body: '', fn };
  // Tasks look the same in every profile.
  if (outcome.ok && outcome.task) return { outcome, body: JSON.stringify(outcome.task), fn };
  return { outcome, body: profile.write?.(outcome, fn) ?? JSON.stringify(profile.render(outcome, fn)), fn };
}
