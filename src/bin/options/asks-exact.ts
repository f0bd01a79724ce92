/** Whether the flags of a call ask for the body itself, before anything is known of the app. */
export function asksExact(flags: readonly string[]): boolean {
  return flags.some((flag) => /^--(?:json|profile)(?:$|=)/.test(flag));
}
