import { messageOf } from '../core/failure.ts';
import { stackOf } from '../core/report.ts';
import { complain } from './terminal.ts';

/**
 * What is thrown or rejected outside of every call: a promise nobody awaited, a timer, a listener. It is a mistake in
 * one function and no reason to drop everybody's calls, as Node would by ending the process.
 */
export function surviveStrays(onThrown: (thrown: unknown) => void = complainOfStray): void {
  forgiveStderr();
  process.on('unhandledRejection', (reason) => complain(`unhandled rejection: ${reasonOf(reason)}`));
  process.on('uncaughtException', onThrown);
}

function complainOfStray(thrown: unknown): void {
  complain(`uncaught: ${reasonOf(thrown)}`);
}

/** With the stack: whoever runs the command wants to know where it was thrown. */
function reasonOf(thrown: unknown): string {
  const frames = stackOf(thrown)?.match(/^ +at .*$/gm) ?? [];
  return [messageOf(thrown), ...frames].join('\n');
}

/**
 * Whoever read it may be gone; to complain of that would fail again, and again. Node makes the stream, and loads all that
 * streams need, when it is first asked for: a process that has nothing to say should not pay for that.
 */
function forgiveStderr(): void {
  const found = Object.getOwnPropertyDescriptor(process, 'stderr');
  if (!found?.get) return void forgive(process.stderr);
  Object.defineProperty(process, 'stderr', {
    ...found,
    get() {
      Object.defineProperty(process, 'stderr', found);
      return forgive(process.stderr);
    },
  });
}

const forgive = (stream: NodeJS.WriteStream) => stream.on('error', () => {});
