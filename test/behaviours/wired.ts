import type { Answer, Behaviour } from '../every-wire.ts';
import type { PromiseId } from '../promises.ts';
import { answers, failure, internalError } from './answers.ts';

const returns = (result: unknown) => answers({ result });

const rows: readonly (readonly [title: string, proves: PromiseId, fn: string, answer: Answer])[] = [
  ['what start returned, once', 'lifecycle.once', 'Starts', returns(1)],
  ['what middleware added', 'middleware.values', 'Values', returns({ name: 'Values' })],
  ['what another function returned', 'context.call', 'Calls', returns('Inner: return')],
  ['the failure of another function', 'context.call', 'CallsFailing', failure('TEAPOT', 418, 1)('Short and stout')],
  [
    'an internal error if another function throws',
    'context.call',
    'CallsThrowing',
    internalError('context.call: functions.Inner: Broken inside'),
  ],
  [
    'the time-out of another function',
    'context.call',
    'CallsHanging',
    failure('TIMEOUT', 504, 124)('Timed out after 50 ms'),
  ],
  [
    'an internal error if it calls another function with wrong arguments',
    'context.call',
    'CallsWrongly',
    internalError(
      'context.call: functions.Inner: Invalid arguments: /how: expected one of "return", "fail", "throw", "hang", got "nonsense"',
    ),
  ],
];

/** Functions that depend on the app and on each other. */
export const wired: readonly Behaviour[] = rows.map(([title, promise, fn, answer]) => ({
  title: `a function returns ${title}`,
  proves: [promise],
  app: 'wired',
  function: fn,
  send: {},
  answer,
}));
