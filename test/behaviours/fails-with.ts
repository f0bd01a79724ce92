/** The name of the function in the hostile app that throws a code. */
export function failsWith(code: string): string {
  return `FailWith${code
    .toLowerCase()
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')}`;
}
