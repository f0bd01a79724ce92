import { createApp } from 'everywire';
import { fn, integer as output } from '../kit/functions.ts';

const once = fn('Once', { output, rate: { calls: 1, seconds: 1 } }, () => 1);

/** Is counted, and never refused. */
const calm = fn('Calm', { output, rate: { calls: 1_000_000, seconds: 1 } }, () => 1);

/** Reaches the limit within one call, since some wires start a process for each. */
const hurry = fn('Hurry', { output }, async (_, { call }) => {
  for (;;) await call(once);
});

export default createApp({ name: 'Rates', version: '1.0.0', functions: [once, calm, hurry] });
