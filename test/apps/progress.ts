import { createApp } from 'everywire';
import { fn, integer } from '../kit/functions.ts';

const steps = [1, 2, 3];

/** Functions that tell how far they are, and return right after that. */
const functions = [
  fn('AtOnce', { output: integer }, (_, { progress }) => {
    steps.forEach((step) => progress(step, 3));
    return 3;
  }),
  fn('Later', { output: integer }, async (_, { progress }) => {
    await Promise.resolve();
    steps.forEach((step) => progress(step, 3));
    return 3;
  }),
];

export default createApp({ name: 'Progress', version: '1.0.0', functions });
