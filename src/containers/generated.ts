const MARK = '# Written by everywire containerize';

/** The first line of generated files. Users remove it to keep their changes. */
export const firstLine = `${MARK}, which overwrites it as long as this line is here.`;

export function isGenerated(text: string): boolean {
  return text.startsWith(MARK);
}
