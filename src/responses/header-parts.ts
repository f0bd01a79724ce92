/** The parts of a header, without the spaces around them. Takes one pass: a regular expression could take quadratic time on the quotes of a hostile header. */
export function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (isQuoted && text[i] === '\\') i++;
    else if (text[i] === '"') isQuoted = !isQuoted;
    else if (text[i] === separator && !isQuoted) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
}

/** `name=value` or `name="value"`. Names are case-insensitive; without a value, it is empty. */
export function readParameter(text: string): [string, string] {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1).trim()];
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return [name.trim().toLowerCase(), isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value];
}
