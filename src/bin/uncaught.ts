import { printError } from '../stdout/stderr.ts';

/**
 * What is thrown or rejected outside of every call: a promise nobody awaited, a timer, a listener. It is a mistake in
 * one function and no reason to drop everybody's calls, as Node would by ending the process.
 */
export function surviveStrays(onThrown: (thrown: unknown) => void = complainOfStray): void {
  forgiveStderr();
  process.on('unhandledRejection', (reason) => printError(`unhandled rejection: ${reasonOf(reason)}`));
  process.on('uncaughtException', onThrown);
}

function complainOfStray(thrown: unknown): void {
  printError(`uncaught: ${reasonOf(thrown)}`);
}

/** For logs: with the stack, which is shown nowhere else. */
export function reasonOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown || UNKNOWN;
    if (typeof thrown === 'number' || typeof thrown === 'symbol') return String(thrown);
    // Not all that is thrown is an error, and the fields of those that are may be of any type.
    const { name = 'Error', message, stack } = thrown as Partial<Record<keyof Error, unknown>>;
    const said = typeof message === 'string' && message !== '' ? message : UNKNOWN;
    const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^ +at /.test(line)) : [];
    return [name === 'Error' ? said : `${String(name)}: ${said}`, ...frames].join('\n');
  } catch {
    return UNKNOWN; // null, a Proxy, or a getter that throws
  }
}

const UNKNOWN = 'Unknown error';

/**
 * Whoever read it may be gone; to print an error about that would fail again, and again. Node makes the stream, and loads all that
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
