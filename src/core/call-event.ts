/** A step of a request, for people and programs that watch a server. */
export interface CallEvent {
  /** `accepted` by a wire, `decoded` into a call, `called` once the arguments are valid, `answered`. */
  readonly step: 'accepted' | 'decoded' | 'called' | 'answered';
  readonly wire: string;
  /** The operationId, or what the wire saw before it knew the function. */
  readonly subject: string;
  /** The id of the task that a worker runs, if the call is one. */
  readonly task?: string;
  /** Of `answered`: `OK` or the code of the failure. */
  readonly code?: string;
  /** Of `answered`: milliseconds since `decoded`. */
  readonly duration?: number;
}

/** Whether NODE_DEBUG, a list separated by commas, asks for us. */
export function isDebugging(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return (process?.env?.['NODE_DEBUG'] ?? '').split(',').includes('everywire');
}
