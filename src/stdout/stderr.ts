import { isTerminalAt } from './descriptor.ts';

/** One line on stderr. The label is red on a terminal, unless NO_COLOR is set. */
export function complain(message: string): void {
  const isRed = isTerminalAt(2) && !process.env['NO_COLOR'];
  process.stderr.write(`${isRed ? '\x1b[31merror:\x1b[39m' : 'error:'} ${message}\n`);
}
