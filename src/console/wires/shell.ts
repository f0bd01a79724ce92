/** Text as one word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Characters in one word of a command: Linux refuses words of 128 KiB, which may be a quarter as many characters. */
const LONGEST_WORD = 30_000;

/** A command that is given text: as a word, or on its stdin, if it would be too long or curl would take it for the name of a file. */
export function withText(text: string, write: (word: string) => string, stdin: string): string {
  if (text.length <= LONGEST_WORD && !text.startsWith('@')) return write(quoted(text));
  let end = 'EOF';
  while (text.includes(end)) end += '_';
  return `${write(stdin)} <<'${end}'\n${text}\n${end}\n`;
}
