import { FORWARDED, canHaveOutput, claimStdout, needsMoving, ownsDescriptors } from './stdout.ts';
import type { Write } from './stdout.ts';

/** Sees to it that there is an output that nobody else can reach. To be awaited before user code is loaded. */
export async function haveOutput(): Promise<void> {
  if (process.env[FORWARDED] !== undefined) (await import('./respawn.ts')).joinForwardedSignals();
  if (canHaveOutput() || !ownsDescriptors) return;
  const { moveSocket } = await import('./dup-socket.ts');
  if (!(await moveSocket())) await (await import('./respawn.ts')).runInOwnProcess();
}

/**
 * Claims stdout for a command's own output, so that not even a child process of the app can write to it. To be awaited
 * before user code is loaded. On a terminal nothing is moved: there both streams have the same reader.
 */
export async function haveStdout(isExact = false): Promise<Write> {
  if (needsMoving(isExact)) await haveOutput();
  return claimStdout();
}
