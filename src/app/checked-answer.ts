import type { Outcome } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import { stackOf } from '../core/report.ts';
import type { Report } from '../core/report.ts';
import type { Violation } from '../responses/check-response.ts';
import type { Guard } from '../responses/guard.ts';
import type { Profile } from '../responses/profiles/profile.ts';
import { render } from './respond.ts';
import type { Answer } from './respond.ts';

interface CheckedAnswer {
  readonly answer: Answer;
  readonly violations: readonly Violation[];
}

/** Renders an outcome, and checks the body if the app has a guard. Never throws. */
export type RenderChecked = (
  outcome: Outcome,
  fn: RegisteredFunction | undefined,
  profile: Profile | undefined,
  requestId?: string,
) => CheckedAnswer;

export function createCheckedRenderer(guard: Guard | undefined, report: Report): RenderChecked {
  return (outcome, fn, profile, requestId) => {
    const answer = tryRender(outcome, fn, profile, requestId);
    const isTask = answer.outcome.ok && answer.outcome.task !== undefined;
    return !guard || !profile || isTask ? { answer, violations: [] } : checked(answer, profile, guard, requestId);
  };

  function tryRender(
    outcome: Outcome,
    fn: RegisteredFunction | undefined,
    profile: Profile | undefined,
    requestId: string | undefined,
  ): Answer {
    try {
      return render(outcome, fn, profile);
    } catch (thrown) {
      // Checked data can still change: a getter may return a value once and throw the second time.
      const where = { operationId: fn?.operationId, requestId };
      const failure = report.problem('INVALID_OUTPUT', 'Invalid output: cannot be read', where, stackOf(thrown));
      return render(failure, fn, profile);
    }
  }

  function checked(answer: Answer, profile: Profile, check: Guard, requestId: string | undefined): CheckedAnswer {
    const { fn } = answer;
    try {
      const { violations, failure, body } = check(answer.body, { profile, function: fn });
      const outcome = failure ?? answer.outcome;
      return { answer: { ...answer, outcome, body: body ?? answer.body }, violations };
    } catch (thrown) {
      const failure = report.thrown(thrown, { operationId: fn?.operationId, requestId, part: 'check' });
      return { answer: render(failure, fn, profile), violations: [] };
    }
  }
}
