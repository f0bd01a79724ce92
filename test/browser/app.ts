import { Failure, createApp, defineFunction, defineResource } from 'everywire';
import type { App } from 'everywire';
import { throwing } from '../kit/parts.ts';

/** How often a function ran: a page must not run one, even if it cannot read the response. */
export const ran = { count: 0 };

const numbers = {
  type: 'object',
  properties: { x: { type: 'number', description: 'x' }, y: { type: 'number', description: 'y' } },
  required: ['x', 'y'],
} as const;

export const app = createApp({
  name: 'Browser',
  version: '1.0.0',
  limits: { body: 1000 },
  functions: [
    defineFunction({
      name: 'Add',
      description: 'Adds.',
      input: numbers,
      output: { type: 'number', description: 'The sum.' },
      run: ({ x, y }) => {
        ran.count++;
        return x + y;
      },
    }),
    defineFunction({
      name: 'Count',
      description: 'Counts.',
      hints: { readOnly: true },
      http: { method: 'GET' },
      output: { type: 'number', description: 'The last number.' },
      async *run() {
        ran.count++;
        yield 1;
        yield 2;
      },
    }),
    defineFunction({
      name: 'Busy',
      description: 'Fails.',
      errors: { BUSY: { description: 'Try later.', status: 409 } },
      run: throwing(new Failure('BUSY', 'Try later', { retryAfter: 7 })),
    }),
    defineFunction({
      name: 'Steps',
      description: 'Reports progress.',
      output: { type: 'string', description: 'Done.' },
      run: (_input, { progress }) => {
        progress(1, 2);
        return 'done';
      },
    }),
  ],
  resources: [defineResource({ uri: 'notes://x', name: 'Note', description: 'N.', read: () => 'Buy milk' })],
}) as App;
