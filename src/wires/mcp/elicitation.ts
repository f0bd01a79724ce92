import { Rounds } from '../../core/rounds.ts';
import type { Answers } from '../../core/rounds.ts';

/** What a client declares about itself. */
export type ClientCapabilities = Readonly<Record<string, unknown>>;

const CAPABILITIES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** The requests that a client can answer, as far as it declares. */
export function askableMethods(capabilities: ClientCapabilities | undefined): readonly string[] {
  return Object.keys(CAPABILITIES).filter((method) => capabilities?.[CAPABILITIES[method]!] !== undefined);
}

/**
 * The server-to-client requests of one call. A call that needs an answer ends, and is repeated with the answers: that is
 * how revision 2026-07-28 works. On older connections the SDK sends the requests and repeats the call.
 */
export class Elicitation extends Rounds {
  constructor(
    private readonly capabilities: ClientCapabilities | undefined,
    private readonly isModern: boolean,
    given?: Answers,
  ) {
    super(given);
  }

  can(method: string): boolean {
    return this.capabilities?.[CAPABILITIES[method] ?? ''] !== undefined;
  }

  /** The modern protocol has its own error for a missing capability, so the question is sent anyway. */
  takes(method: string): boolean {
    return this.isModern || this.can(method);
  }
}
