import { relative } from 'node:path';
import { MinimalReporter, type TestModule } from 'vitest/node';

/** Prints what failed, with what it wrote; at the end what was skipped, the slowest files, and the totals. */
export default class QuietReporter extends MinimalReporter {
  override onTestRunEnd(...args: Parameters<MinimalReporter['onTestRunEnd']>): void {
    const [modules] = args;
    super.onTestRunEnd(...args);
    const lines = [...skipped(modules), ...slowest(modules)];
    this.ctx.logger.log(lines.join('\n'));
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const test of testsOf(modules)) counts[stateOf(test)]++;
    this.ctx.logger.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

function* testsOf(modules: readonly TestModule[]) {
  for (const module of modules) yield* module.children.allTests();
}

type Test = ReturnType<typeof testsOf> extends Generator<infer T> ? T : never;

function stateOf(test: Test): 'passed' | 'failed' | 'skipped' {
  const { state } = test.result();
  return state === 'pending' ? 'skipped' : state;
}

/** A line for each file with skipped tests, with the reasons that the tests give. */
function skipped(modules: readonly TestModule[]): string[] {
  const lines = modules.flatMap((module) => {
    const tests = [...module.children.allTests()].filter((test) => stateOf(test) === 'skipped');
    if (tests.length === 0) return [];
    const notes = new Set(tests.map((test) => (test.result() as { note?: string }).note ?? test.fullName));
    return [`  ${nameOf(module)}: ${tests.length} (${[...notes].slice(0, 3).join('; ')})`];
  });
  return lines.length > 0 ? ['Skipped:', ...lines] : [];
}

function slowest(modules: readonly TestModule[]): string[] {
  const timed = modules.map((module) => ({ module, seconds: module.diagnostic().duration / 1000 }));
  const longest = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  return ['Slowest files:', ...longest.map(({ module, seconds }) => `  ${seconds.toFixed(1)} s ${nameOf(module)}`)];
}

const nameOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);
