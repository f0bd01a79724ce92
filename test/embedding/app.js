// The app that every example in docs/embedding.md serves. Plain JavaScript, as any runtime takes it.
// @ts-nocheck
import { createApp, defineFunction, defineResource, Failure } from 'everywire';

const integer = (description) => ({ type: 'integer', description });
let waiting = 0;
let aborted = 0;

export default createApp({
  name: 'Embedded',
  version: '1.0.0',
  limits: { body: 10_000 },
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds two integers',
      input: { type: 'object', properties: { x: integer('First'), y: integer('Second') }, required: ['x', 'y'] },
      output: integer('The sum'),
      run: ({ x, y }) => x + y,
    }),
    defineFunction({
      name: 'Refuse',
      description: 'Always fails',
      errors: { NOT_TODAY: { description: 'It is not the day.', status: 409 } },
      run: () => {
        throw new Failure('NOT_TODAY', 'Not today');
      },
    }),
    defineFunction({
      name: 'Wait',
      description: 'Waits until the caller disconnects',
      output: { type: 'string', description: 'Nothing' },
      run: (_input, { signal }) => {
        waiting++;
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted++;
            reject(signal.reason);
          });
        });
      },
    }),
    defineFunction({
      name: 'Count',
      description: 'How many calls wait, and how many were aborted',
      outputs: [integer('Waiting'), integer('Aborted')],
      run: () => [waiting, aborted],
    }),
    defineFunction({
      name: 'Greet',
      description: 'Greets with the words in the environment',
      output: { type: 'string', description: 'The greeting' },
      run: (_input, { env }) => env.get('GREETING') ?? 'no greeting',
    }),
    defineFunction({
      name: 'Break',
      description: 'Throws what nobody expects',
      run: () => {
        throw new Error('a secret detail');
      },
    }),
  ],
  resources: [defineResource({ uri: 'notes://today', name: 'Today', description: 'A note', read: () => 'Buy milk' })],
});
