import { canHaveOutput } from './stdout.ts';

/** Sees to it that there is an output that nobody else can reach. To be awaited before user code is loaded. */
export async function haveOutput(): Promise<void> {
  if (canHaveOutput()) return;
  const { moveSocket } = await import('./own-socket.ts');
  if (!(await moveSocket())) await (await import('./own-process.ts')).runInOwnProcess();
}
