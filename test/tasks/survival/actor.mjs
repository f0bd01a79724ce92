// Does one thing with a task and says when it is done; somebody kills it meanwhile: actor.mjs <what> <store> <name> [id]
import { DEFERRED, createRecorder } from './app.mjs';

const [what, store, name, taskId] = process.argv.slice(2);
const app = createRecorder(name, { store, log: { debug() {}, info() {}, warn() {}, error() {} } });
const operate = (operation, input) => app.operations.respond({ name: operation, input });

const acts = {
  create: () => app.respond({ name: 'Record', input: { n: 1, time: 5 }, caller: { wire: 'test' }, deferral: DEFERRED }),
  answer: () =>
    operate('tasks/update', { taskId, inputResponses: { question1: { action: 'accept', content: { n: 1 } } } }),
  cancel: () => operate('tasks/cancel', { taskId }),
  async work() {
    await app.tasks.work({ concurrency: 1 });
    for (;;) {
      const { outcome } = await operate('tasks/get', { taskId });
      if (outcome.ok && outcome.data.outcome) return { outcome };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
};

const { outcome } = await acts[what]();
process.send(outcome.ok ? { done: outcome.task?.taskId ?? taskId } : { failed: outcome.error });
