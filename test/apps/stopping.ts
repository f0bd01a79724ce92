import { writeSync } from 'node:fs';
import { createApp, definePrompt, defineResource } from 'everywire';
import { fn, integer, object, string } from '../kit/functions.ts';

/** Tells that it has begun, on stderr: a signal may come now. */
function takeTime<T>(value: T): Promise<T> {
  console.error('BEGUN');
  return new Promise((resolve) => setTimeout(resolve, 1500, value));
}

const input = object({ size: { ...integer, default: 4 }, steps: { ...integer, default: 0 } }, []);
const description = 'Takes its time';

/** Everything takes its time, so that a signal comes in the middle of it. */
export default createApp({
  name: 'Stopping',
  version: '1.0.0',
  functions: [
    fn('Slow', { input, output: string }, async ({ size, steps }, { progress }) => {
      for (let i = 1; i <= steps; i++) progress(i, steps);
      const text = await takeTime('x'.repeat(size));
      for (let i = 1; i <= steps; i++) progress(steps + i, 2 * steps);
      return text;
    }),
    fn('Fast', { output: string }, () => 'x'),
    // Lets nothing else happen meanwhile.
    fn('Busy', { output: string }, () => {
      writeSync(2, 'BEGUN\n');
      const end = Date.now() + 1500;
      while (Date.now() < end);
      return 'x';
    }),
  ],
  resources: [
    defineResource({
      uri: 'slow://{id}',
      name: 'slow',
      description,
      list: () => takeTime([{ uri: 'slow://1', name: 'first' }]),
      complete: { id: () => takeTime(['xxxx']) },
      read: () => takeTime('xxxx'),
    }),
  ],
  prompts: [definePrompt({ name: 'slow', description, run: () => takeTime('xxxx') })],
});
