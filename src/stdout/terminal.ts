import { isTerminalAt } from './descriptor.ts';
import { stdoutDescriptor } from './inherited.ts';
import type { Write } from './write.ts';

/** Whether stdout is a terminal. Evaluated when this module is loaded, before stdout is moved. */
export const isTerminal = isTerminalAt(stdoutDescriptor);

/** Strategy for a terminal: nothing is moved. stdout and stderr have the same reader, so only the order matters. */
export const writeToTerminal: Write = (text, done) => void process.stdout.write(text, () => done?.());
