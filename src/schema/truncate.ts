/** Shortens a string to a maximum length; an ellipsis replaces the rest. */
export function truncate(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
