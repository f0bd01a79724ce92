/** Writes protocol bytes; the callback runs when they are out. */
export type Write = (text: string, done?: () => void) => void;

let claimed: Write | undefined;

/**
 * Keeps stdout for the answer: from now on, whatever the app, its dependencies or console.log
 * print goes to stderr. To be called before user code is loaded.
 */
export function claimStdout(): Write {
  if (claimed) return claimed;
  const write = process.stdout.write.bind(process.stdout);
  // Whoever reads may stop reading, like `head`; that is no reason for a stack trace.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  claimed = (text, done) => void write(text, () => done?.());
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return claimed;
}
