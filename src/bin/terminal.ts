import colors from 'picocolors';

/** One line on stderr, in red where that shows. */
export function complain(message: string): void {
  process.stderr.write(`${colors.createColors(colorsOn(process.stderr)).red('error:')} ${message}\n`);
}

/** Colours only on a terminal, and not where NO_COLOR asks for none. */
function colorsOn(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && !process.env['NO_COLOR'];
}
