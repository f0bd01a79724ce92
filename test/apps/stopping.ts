import { writeSync } from 'node:fs';
import { createApp, defineFunction, definePrompt, defineResource } from 'everywire';

/** Tells that it has begun, on stderr: a signal may come now. */
function takeTime(): Promise<void> {
  console.error('BEGUN');
  return new Promise((resolve) => setTimeout(resolve, 1500));
}

/** Everything takes its time, so that a signal comes in the middle of it. */
export default createApp({
  name: 'Stopping',
  version: '1.0.0',
  functions: [
    defineFunction({
      name: 'Slow',
      description: 'Takes its time',
      input: {
        type: 'object',
        properties: {
          size: { type: 'integer', default: 4, description: 'Characters of the answer' },
          steps: { type: 'integer', default: 0, description: 'How often it tells how far it is' },
        },
      },
      output: { type: 'string', description: 'Many characters' },
      run: async ({ size, steps }, context) => {
        for (let i = 1; i <= steps; i++) context.progress(i, steps);
        await takeTime();
        for (let i = 1; i <= steps; i++) context.progress(steps + i, 2 * steps);
        return 'x'.repeat(size);
      },
    }),
    defineFunction({
      name: 'Fast',
      description: 'Takes none',
      output: { type: 'string', description: 'x' },
      run: () => 'x',
    }),
    defineFunction({
      name: 'Busy',
      description: 'Lets nothing else happen meanwhile',
      output: { type: 'string', description: 'x' },
      run: () => {
        writeSync(2, 'BEGUN\n');
        const end = Date.now() + 1500;
        while (Date.now() < end);
        return 'x';
      },
    }),
  ],
  resources: [
    defineResource({
      uri: 'slow://{id}',
      name: 'slow',
      description: 'Takes its time',
      list: async () => {
        await takeTime();
        return [{ uri: 'slow://1', name: 'first' }];
      },
      complete: {
        id: async () => {
          await takeTime();
          return ['xxxx'];
        },
      },
      read: async () => {
        await takeTime();
        return 'xxxx';
      },
    }),
  ],
  prompts: [
    definePrompt({
      name: 'slow',
      description: 'Takes its time',
      run: async () => {
        await takeTime();
        return 'xxxx';
      },
    }),
  ],
});
