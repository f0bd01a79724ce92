import { printError } from '../stdout/stderr.ts';

/**
 * Keeps the process running after an uncaught exception or an unhandled rejection: a promise that nobody awaits, a timer, a
 * listener. It is a bug in one function, and must not end everybody's calls.
 */
export function surviveUncaught(onException: (thrown: unknown) => void = printUncaught): void {
  ignoreStderrErrors();
  process.on('unhandledRejection', (reason) => printError(`unhandled rejection: ${describeThrown(reason)}`));
  process.on('uncaughtException', onException);
}

function printUncaught(thrown: unknown): void {
  printError(`uncaught: ${describeThrown(thrown)}`);
}

/** Describes anything that was thrown, for logs. Includes the stack, which no response contains. */
export function describeThrown(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown || UNKNOWN;
    if (typeof thrown === 'number' || typeof thrown === 'symbol') return String(thrown);
    // Anything can be thrown, with fields of any type.
    const { name = 'Error', message, stack } = thrown as Partial<Record<keyof Error, unknown>>;
    const text = typeof message === 'string' && message !== '' ? message : UNKNOWN;
    const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^ +at /.test(line)) : [];
    return [name === 'Error' ? text : `${String(name)}: ${text}`, ...frames].join('\n');
  } catch {
    return UNKNOWN; // null, a Proxy, or a getter that throws
  }
}

const UNKNOWN = 'Unknown error';

/**
 * The reader of stderr may be gone, and printing an error about that would fail again. Node creates process.stderr, and loads
 * the stream modules, on first access: a process that prints nothing should not pay for that.
 */
function ignoreStderrErrors(): void {
  const property = Object.getOwnPropertyDescriptor(process, 'stderr');
  if (!property?.get) return void ignoreErrors(process.stderr);
  Object.defineProperty(process, 'stderr', {
    ...property,
    get() {
      Object.defineProperty(process, 'stderr', property);
      return ignoreErrors(process.stderr);
    },
  });
}

const ignoreErrors = (stream: NodeJS.WriteStream) => stream.on('error', () => {});
