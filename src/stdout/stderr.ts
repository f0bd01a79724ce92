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
  const isColoured = isTerminalAt(2) && !process.env['NO_COLOR'];
  process.stderr.write(`${isColoured ? `\x1b[${colour}m${label}\x1b[39m` : label} ${message}\n`);
}
