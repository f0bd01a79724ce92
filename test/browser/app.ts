import { Failure, createApp, defineResource, type App } from 'everywire';
import { fn, object, string } from '../kit/functions.ts';
import { throwing } from '../kit/parts.ts';

/** How often a function ran: a page must not run one, even if it cannot read the response. */
export const ran = { count: 0 };

const number = { type: 'number', description: 'A number' } as const;

async function* count() {
  ran.count++;
  yield 1;
  yield 2;
}

export const app = createApp({
  name: 'Browser',
  version: '1.0.0',
  limits: { body: 1000 },
  functions: [
    fn('Add', { input: object({ x: number, y: number }), output: number }, ({ x, y }) => {
      ran.count++;
      return x + y;
    }),
    fn('Count', { hints: { readOnly: true }, http: { method: 'GET' }, output: number }, count),
    fn(
      'Busy',
      { errors: { BUSY: { description: 'Try later.', status: 409 } } },
      throwing(new Failure('BUSY', 'Try later', { retryAfter: 7 })),
    ),
    fn('Steps', { output: string }, (_, { progress }) => {
      progress(1, 2);
      return 'done';
    }),
  ],
  resources: [defineResource({ uri: 'notes://x', name: 'Note', description: 'N.', read: () => 'Buy milk' })],
}) as App;
