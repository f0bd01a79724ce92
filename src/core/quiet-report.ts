import { refuse } from './failure.ts';
import type { Report } from './report.ts';

/** While something cannot be reached, every call fails; one line in the log in so many milliseconds is enough. */
const QUIET = 10_000;

/** Logs an error of a series, and then none for a while. */
export function createQuietReport(report: Report): Report {
  let reportedAt = -Infinity;
  const isQuiet = () => performance.now() - reportedAt < QUIET;
  return {
    thrown(thrown, where) {
      if (isQuiet()) return refuse('INTERNAL_ERROR', 'Reported before');
      reportedAt = performance.now();
      return report.thrown(thrown, where);
    },
    problem: report.problem,
  };
}
