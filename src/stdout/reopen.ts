import { closeSync } from 'node:fs';
import { canReopen, hasNoPosition, hasRealDescriptors, reopen, statOf } from './descriptor.ts';

/** Whether `reopenStdout` can be used. Closes nothing that is in use. */
export function canReopenStdout(): boolean {
  if (!hasRealDescriptors) return false;
  try {
    return (isSameSocketAsStdin() || (hasNoPosition(1) && canReopen(1))) && canReopen(2);
  } catch {
    return false; // a closed descriptor: another strategy is used
  }
}

/**
 * Strategy for pipes and devices on Linux: opens stdout a second time through /proc/self/fd, then makes descriptor 1 point to
 * stderr. This is dup2 as far as Node allows it: open() returns the lowest free descriptor, which is the one just closed.
 */
export function reopenStdout(): number | undefined {
  try {
    const output = isSameSocketAsStdin() ? 0 : reopen(1);
    closeSync(1);
    return reopen(2) === 1 ? output : undefined;
  } catch {
    return undefined; // another strategy is used
  }
}

/** Apache's mod_cgid and inetd use one socket for both stdin and stdout. It cannot be reopened, but descriptor 0 is enough. */
function isSameSocketAsStdin(): boolean {
  const [input, output] = [statOf(0), statOf(1)];
  return output.isSocket() && input.ino === output.ino && input.dev === output.dev;
}
