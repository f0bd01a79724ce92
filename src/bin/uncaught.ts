import { framesOf } from '../core/log.ts';
import type { Process } from './process.ts';

/**
 * Keeps the process running after an uncaught exception or an unhandled rejection: a promise that nobody awaits, a timer, a
 * listener. It is a bug in one function, and must not end everybody's calls.
 */
export function surviveUncaught(
  proc: Process,
  onException = (thrown: unknown) => proc.printError(`uncaught: ${describeThrown(thrown)}`),
): void {
  proc.on('rejection', (reason) => proc.printError(`unhandled rejection: ${describeThrown(reason)}`));
  proc.on('uncaught', onException);
}

/** Describes anything that was thrown, for logs. Includes the author's part of the stack, which no response contains. */
export function describeThrown(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown || UNKNOWN;
    if (typeof thrown === 'number' || typeof thrown === 'symbol') return String(thrown);
    // Anything can be thrown, with fields of any type.
    const { name = 'Error', message, stack } = thrown as Partial<Record<keyof Error, unknown>>;
    const text = typeof message === 'string' && message !== '' ? message : UNKNOWN;
    const frames = typeof stack === 'string' ? framesOf(stack) : [];
    return [name === 'Error' ? text : `${String(name)}: ${text}`, ...frames].join('\n');
  } catch {
    return UNKNOWN; // null, a Proxy, or a getter that throws
  }
}

const UNKNOWN = 'Unknown error';
