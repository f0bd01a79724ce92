import { isatty } from 'node:tty';
import colors from 'picocolors';

// Colours only on a terminal, and not where NO_COLOR asks for none. Left to guess, picocolors would also colour in CI.
const { red } = colors.createColors(isatty(2) && !process.env['NO_COLOR']);

/** One line on stderr, in red where that shows. */
export function complain(message: string): void {
  process.stderr.write(`${red('error:')} ${message}\n`);
}
