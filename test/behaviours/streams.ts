import type { Behaviour } from '../every-wire.ts';
import { answers, failure, invalidOutput } from './answers.ts';

const on = (title: string, name: string, send: Behaviour['send'], answer: Behaviour['answer']): Behaviour => ({
  title,
  proves: ['stream.same-body'],
  app: 'streams',
  function: name,
  send,
  answer,
});

/** What callers get that ask for no stream. */
export const streams: readonly Behaviour[] = [
  on('a generator answers with what it returns', 'Count', { arguments: { to: 4 } }, answers({ result: 10 })),
  on(
    'and so does the same function without streaming',
    'CountAtOnce',
    { arguments: { to: 4 } },
    answers({ result: 10 }),
  ),
  on('a generator that returns nothing answers with its last chunk', 'Words', {}, answers({ result: 'Grüße,\nWelt' })),
  on(
    'a generator may fail in the middle',
    'CountThenFail',
    { arguments: { to: 4 } },
    failure('LOST', 409, 1)('Lost count after 4'),
  ),
  on(
    'chunks are checked although nobody reads them',
    'CountThenLie',
    {},
    invalidOutput('Invalid input: expected number, received string'),
  ),
];
