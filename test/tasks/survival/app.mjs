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

/** Leaves a line when it starts and one when it ends. Blocks its process for a part of its time. */
const steady = defineFunction({
  ...parts,
  name: 'Steady',
  description: 'Writes two lines',
  timeout: 120_000,
  input: object({ n: integer, time: integer, block: integer }),
  async run({ n, time, block }, { task, signal }) {
    const note = (what) => appendFileSync(process.env.LEDGER, `${n} ${what} ${task.attempt}\n`);
    note('started');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (block > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, block);
    await new Promise((resolve) => setTimeout(resolve, time));
    note(signal.aborted ? 'aborted' : 'ended');
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
  createApp({ name, version: '1.0.0', functions: [record, steady, confirm], ...options });

export const DEFERRED = { caller: 'prefers', askable: ['elicitation/create'] };
