import type { Behaviour } from '../every-wire.ts';

const error = 'Too many calls; try again in 1 second';
const refused = { status: 429, exit: 75, code: 'RATE_LIMITED' } as const;
const call = { proves: ['rate.every-wire', 'rate.limited'], app: 'rates', function: 'Hurry', send: {} } as const;

export const rates: readonly Behaviour[] = [
  {
    title: 'a call that is counted',
    ...call,
    function: 'Calm',
    answer: { body: '{"result":1}', status: 200, exit: 0 },
  },
  { title: 'a rate limit', ...call, answer: { body: JSON.stringify({ error }), ...refused } },
  {
    title: 'a rate limit, with its retry hint',
    ...call,
    profile: 'status',
    answer: {
      body: JSON.stringify({
        status: 'ERROR',
        error: {
          code: 'RATE_LIMITED',
          message: error,
          details: { per: 'function', calls: 1, seconds: 1 },
          retry: true,
          retryAfter: 1,
        },
      }),
      ...refused,
    },
  },
];
