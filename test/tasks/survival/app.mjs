import { appendFileSync } from 'node:fs';
import { createApp, defineFunction } from 'everywire';

const integer = { type: 'integer', description: 'A number' };
const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const parts = { task: 'always', output: integer };

/** Leaves a line in the ledger whenever it runs: that is its side effect. Takes its time, and returns the number. */
const record = defineFunction({
  ...parts,
  name: 'Record',
  description: 'Writes a line',
  input: object({ n: integer, time: integer }),
  async run({ n, time }, { task }) {
    appendFileSync(process.env.LEDGER, `${n} ${task.attempt} ${process.pid}\n`);
    await new Promise((resolve) => setTimeout(resolve, time));
    return n;
  },
});

/** Asks, and runs from the beginning when it is answered. */
const confirm = defineFunction({
  ...parts,
  name: 'Confirm',
  description: 'Asks for a number',
  input: object({ n: integer }),
  async run({ n }, { ask }) {
    const answer = await ask(object({ n: integer }), 'Which number?');
    appendFileSync(process.env.LEDGER, `${n}\n`);
    return answer.n;
  },
});

/** `name`: processes with the same name work on the same tasks. */
export const createRecorder = (name = 'Recorder', options = {}) =>
  createApp({ name, version: '1.0.0', functions: [record, confirm], ...options });

export const DEFERRED = { caller: 'prefers', askable: ['elicitation/create'] };
