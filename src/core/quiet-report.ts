import { messageOf, refuse } from './failure.ts';
import type { Report } from './report.ts';

/** While something cannot be reached, every call fails; one line in the log in so many milliseconds is enough. */
const QUIET = 10_000;

/** So many different errors are told apart; all further ones count as the same. */
const MAX_MESSAGES = 100;

/** Logs an error of a series, and then none with the same message for a while. */
export function createQuietReport(report: Report): Report {
  const reported = new Map<string, number>();
  return {
    thrown(thrown, where) {
      const now = performance.now();
      for (const [message, at] of reported) if (now - at >= QUIET) reported.delete(message);
      const message = reported.size < MAX_MESSAGES ? messageOf(thrown).replaceAll(/[0-9a-f-]{8,}|\d+/g, '#') : '';
      if (reported.has(message)) return refuse('INTERNAL_ERROR', 'Reported before');
      reported.set(message, now);
      return report.thrown(thrown, where);
    },
    problem: report.problem,
  };
}
