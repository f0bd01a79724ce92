import { isTerminalAt } from './stdout.ts';

/** One line on stderr, in red where that shows: on a terminal, unless NO_COLOR asks for none. */
export function complain(message: string): void {
  const isRed = isTerminalAt(2) && !process.env['NO_COLOR'];
  process.stderr.write(`${isRed ? '\x1b[31merror:\x1b[39m' : 'error:'} ${message}\n`);
}
