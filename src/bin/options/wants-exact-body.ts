/** Whether the flags of a call ask for the exact body, or for a format that programs read. Looks at raw flags: the app is not loaded yet. */
export function wantsExactBody(flags: readonly string[]): boolean {
  return flags.some((flag) => /^--(?:json|profile|format|stream)(?:$|=)/.test(flag));
}
