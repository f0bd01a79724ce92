/** At most so many characters of a string, with an ellipsis for the rest. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
