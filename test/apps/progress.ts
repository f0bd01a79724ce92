import { createApp, defineFunction } from 'everywire';
import type { Context } from 'everywire';

const tells = (name: string, run: (input: unknown, context: Context) => number | Promise<number>) =>
  defineFunction({
    name,
    description: 'Tells how far it is, and returns right after that',
    output: { type: 'integer', description: 'The end' },
    run,
  });

const tell = (context: Context) => [1, 2, 3].forEach((step) => context.progress(step, 3));

export default createApp({
  name: 'Progress',
  version: '1.0.0',
  functions: [
    tells('AtOnce', (_input, context) => {
      tell(context);
      return 3;
    }),
    tells('Later', async (_input, context) => {
      await Promise.resolve();
      tell(context);
      return 3;
    }),
  ],
});
