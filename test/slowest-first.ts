import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The files that take longest. A clone has no record of earlier runs, and would begin with the files that have most lines. */
const SLOWEST = [
  'cgi/web-servers',
  'leaks/leaks',
  'build/build',
  'init/project',
  'tasks/survival/kill',
  'behaviours.test',
  'surface/bench',
  'access/matrix',
  'tasks/cli.test',
  'stream/every-wire',
  'reliability/work-per-byte',
  'tasks/survival/crash',
  'mcp/features',
  'env/escapes',
  'tasks/outages',
];

/** Starts long files first, so that at the end no process works alone. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOWEST.findIndex((name) => moduleId.includes(`/test/${name}`));
      return index === -1 ? SLOWEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
