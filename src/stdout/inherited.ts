/** Set for a respawned process (see respawn.ts): the file descriptor of its output. */
export const OUTPUT_VARIABLE = 'EVERYWIRE_OUTPUT';

/** Set for a respawned process: signals may arrive twice. */
export const FORWARDED_VARIABLE = 'EVERYWIRE_FORWARDED';

/** The file descriptor of stdout: 1, unless this process was respawned. */
export const stdoutDescriptor = Number(process.env[OUTPUT_VARIABLE] ?? 1);

/** Returns the output that a respawned process inherits. Removes the variable: children of the app must not see it. */
export function takeInheritedOutput(): number | undefined {
  const fd = process.env[OUTPUT_VARIABLE];
  delete process.env[OUTPUT_VARIABLE];
  return fd === undefined ? undefined : Number(fd);
}
