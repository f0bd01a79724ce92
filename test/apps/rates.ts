import { createApp, defineFunction } from 'everywire';

const once = defineFunction({
  name: 'Once',
  description: 'May be called once in a second',
  output: { type: 'integer', description: 'One' },
  rate: { calls: 1, seconds: 1 },
  run: () => 1,
});

const calm = defineFunction({
  name: 'Calm',
  description: 'Is counted, and never refused',
  output: { type: 'integer', description: 'One' },
  rate: { calls: 1_000_000, seconds: 1 },
  run: () => 1,
});

/** Reaches the limit within one call, since some wires start a process for each. */
const hurry = defineFunction({
  name: 'Hurry',
  description: 'Calls Once until it is refused',
  output: { type: 'integer', description: 'How often that went well' },
  run: async (_, context) => {
    for (let calls = 0; ;) calls += await context.call(once);
  },
});

export default createApp({ name: 'Rates', version: '1.0.0', functions: [once, calm, hurry] });
