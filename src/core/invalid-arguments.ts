import { summarize } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import { refuse } from './failure.ts';
import type { Failed } from './outcome.ts';

/** The failure for arguments with problems. */
export function invalidArguments(problems: readonly Problem[]): Failed {
  return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${summarize(problems)}`, {
    details: { problems: problems.map(({ pointer, message }) => ({ pointer, message })) },
  });
}
