import type { Call } from '../../core/call.ts';

/** Header values by lower-case name. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request, whichever host received it. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: HttpHeaders;
  readonly body: Uint8Array;
  /** The path below which the host serves this request, if it is not that of the wire. */
  readonly base?: string | undefined;
  /** Calls back if the client disconnects before it has the response. */
  readonly onDisconnect?: ((listener: () => void) => void) | undefined;
  /** As in a call: for hosts that end the process after the response. */
  readonly onClosing?: Call['onClosing'];
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream for server-sent events and binary resources. */
  readonly body: string | ReadableStream<Uint8Array>;
}
