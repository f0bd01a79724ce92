import { isTerminalAt } from './descriptor.ts';

/** Something failed. */
export function printError(message: string): void {
  print('error:', 31, message);
}

/** Nothing failed, but a person should know. */
export function printWarning(message: string): void {
  print('warning:', 33, message);
}

/** One line on stderr. The label is coloured on a terminal, unless NO_COLOR is set. */
function print(label: string, colour: number, message: string): void {
  const isOnTerminal = isTerminalAt(2);
  const isColoured = isOnTerminal && !process.env['NO_COLOR'];
  // The message may repeat input of a caller, which must not move the cursor.
  const text = isOnTerminal ? message.replaceAll(/[^\P{Cc}\n\t]/gu, '?') : message;
  process.stderr.write(`${isColoured ? `\x1b[${colour}m${label}\x1b[39m` : label} ${text}\n`);
}
