// A process that keeps vitest, and with it the compiled files, and runs the tests that mutants.mjs sends: starting vitest
// anew takes seconds. Every run has new processes, with the variables of that run.
import { fileURLToPath } from 'node:url';
import { BaseSequencer, createVitest } from 'vitest/node';

let failure;
const reporter = {
  onTestCaseResult(test) {
    if (test.result().state === 'failed') failure ??= { file: relative(test.module), id: test.id, test: test.fullName };
  },
  onTestModuleEnd(module) {
    if (!module.ok()) failure ??= { file: relative(module), test: module.errors()[0]?.message ?? 'the file' };
  },
};

/** The order in which they were sent. */
class AsSent extends BaseSequencer {
  sort = (files) => files;
}

const sequence = { sequencer: AsSent };
const options = { watch: false, bail: 1, maxWorkers: 1, reporters: [reporter], silent: true, sequence };
const vitest = await createVitest('test', options);
for (const { config } of vitest.projects)
  config.setupFiles = [fileURLToPath(new URL('current-test.mjs', import.meta.url))];
const specifications = await vitest.globTestSpecifications();

process.on('message', async ({ env, tests, isolate }) => {
  if (!tests) return process.send(specifications.map((one) => ({ project: one.project.name, file: relative(one) })));
  for (const [name, value] of Object.entries(env))
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  failure = undefined;
  const wanted = tests.map(({ file, ids }) => {
    const { project, moduleId } = specifications.find((one) => relative(one) === file);
    project.config.isolate = isolate;
    return project.createSpecification(moduleId, ids && { testIds: ids });
  });
  const { unhandledErrors } = await vitest.runTestSpecifications(wanted);
  if (unhandledErrors.length > 0) failure ??= { file: tests[0].file, test: String(unhandledErrors[0].message) };
  return process.send({ failure });
});
process.on('disconnect', () => process.exit());
process.send('ready');

function relative({ moduleId }) {
  return moduleId.slice(vitest.config.root.length + 1);
}
