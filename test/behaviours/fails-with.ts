/** The function of the hostile app that throws a code of the table. */
export function failsWith(code: string): string {
  return `FailWith${code
    .toLowerCase()
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')}`;
}
