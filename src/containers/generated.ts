const MARK = '# Written by everywire containerize';

/** The first line of what is generated: whoever wants to keep changes takes it out. */
export const firstLine = `${MARK}, which writes it anew as long as this line is here.`;

export function isGenerated(text: string): boolean {
  return text.startsWith(MARK);
}
