// A function that computes, for servers with one process and with several. A number of steps and not a time: a process that
// has to wait for a core would count the wait as work.
import { createApp, defineFunction } from 'everywire';

const STEPS = 1_000_000;

const work = defineFunction({
  name: 'Work',
  description: 'Computes for about a millisecond',
  output: { type: 'integer', description: 'Always the same' },
  run: () => {
    let x = 1;
    for (let i = 0; i < STEPS; i++) x = (Math.imul(x, 1_664_525) + 1_013_904_223) | 0;
    return x;
  },
});

export default createApp({ name: 'Workers', version: '1.0.0', functions: [work] });
