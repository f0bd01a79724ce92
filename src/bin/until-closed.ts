import { setTimeout } from 'node:timers/promises';

/** Milliseconds that the `finally` of a generator has before the process ends. */
const MAX_CLOSING = 1000;

/** Waits for a generator that was left in the middle, but not for long. */
export async function untilClosed(closing: Promise<void> | undefined): Promise<void> {
  if (closing) await Promise.race([closing, setTimeout(MAX_CLOSING)]);
}
