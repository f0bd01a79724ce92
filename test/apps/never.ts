import { writeFileSync } from 'node:fs';
import { createApp } from 'everywire';
import { fn, object, string, untilCancelled } from '../kit/functions.ts';

/** Holds nothing open: a function that never returns leaves Node with nothing to wait for. */
const never = fn('Never', { output: string, timeout: 0 }, () => new Promise(() => {}));

/** Writes a file when it has begun, and keeps the process running until it is cancelled. */
const wait = fn('Wait', { input: object({ file: string }), output: string }, async ({ file }, context) => {
  writeFileSync(file, 'begun');
  const timer = setInterval(() => {}, 1000);
  await untilCancelled(context);
  clearInterval(timer);
  return 'stopped';
});

export default createApp({ name: 'Never', version: '1.0.0', functions: [never, wait] });
