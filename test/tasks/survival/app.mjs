import { appendFileSync } from 'node:fs';
import { createApp, defineFunction } from 'everywire';

/** Leaves a line in the ledger whenever it runs: that is its side effect. */
const record = defineFunction({
  name: 'Record',
  description: 'Writes a line, takes its time, and returns the number',
  task: 'always',
  input: {
    type: 'object',
    properties: {
      n: { type: 'integer', description: 'The number' },
      time: { type: 'integer', description: 'Milliseconds' },
    },
    required: ['n', 'time'],
  },
  output: { type: 'integer', description: 'The number' },
  async run({ n, time }, { task }) {
    appendFileSync(process.env.LEDGER, `${n} ${task.attempt} ${process.pid}\n`);
    await new Promise((resolve) => setTimeout(resolve, time));
    return n;
  },
});

/** Asks, and runs from the beginning when it is answered. */
const confirm = defineFunction({
  name: 'Confirm',
  description: 'Asks for a number and returns it',
  task: 'always',
  input: { type: 'object', properties: { n: { type: 'integer', description: 'The number' } }, required: ['n'] },
  output: { type: 'integer', description: 'The number' },
  async run({ n }, { ask }) {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const answer = await ask(schema, 'Which number?');
    appendFileSync(process.env.LEDGER, `${n}\n`);
    return answer.n;
  },
});

/** `name`: processes with the same name work on the same tasks. */
export const createRecorder = (name = 'Recorder', options = {}) =>
  createApp({ name, version: '1.0.0', functions: [record, confirm], ...options });

export const DEFERRED = { caller: 'prefers', askable: ['elicitation/create'] };
