import type { Call } from '../../core/call.ts';
import type { Caller } from '../../core/context.ts';
import type { CredentialParts } from '../../core/credentials.ts';

/** Header values by lower-case name. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Keeps the bytes of uploaded files while a call runs. The host frees them when the response has been sent. */
export interface Spool {
  write(chunk: Uint8Array): void | Promise<void>;
  /** Everything that was written. */
  end(): Blob | Promise<Blob>;
}

/** A body that the host has not collected, because it may contain large files. */
export interface Upload {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Undefined if the host has nothing better than memory. */
  readonly spool?: Spool;
}

/** A request, whichever host received it. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: HttpHeaders;
  /** Empty if there is an `upload`. */
  readonly body: Uint8Array;
  readonly upload?: Upload | undefined;
  /** Set if the body was parsed before and written again, so that its bytes may be others than those that were sent. */
  readonly isParsed?: true | undefined;
  /** Where it comes from, if the host knows. */
  readonly address?: Caller['address'];
  readonly scheme?: Caller['scheme'];
  /** Names and values in turn, as sent, if the host knows: `headers` hides that one was sent twice. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The user that a web server has authenticated (CGI). Never from a header. */
  readonly user?: CredentialParts['user'];
  /** Asks the server around the app who calls. */
  readonly outer?: CredentialParts['outer'];
  /** The path below which the host serves this request, if it is not that of the wire. */
  readonly base?: string | undefined;
  /** What relative links in the response begin with: `v1/` at `/v1`, which browsers take for a file. */
  readonly folder?: string | undefined;
  /** Calls back if the client disconnects before it has the response. */
  readonly onDisconnect?: ((listener: () => void) => void) | undefined;
  /** As in a call: for hosts that end the process after the response. */
  readonly onClosing?: Call['onClosing'];
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream for server-sent events, files and binary resources. */
  readonly body: string | ReadableStream<Uint8Array>;
}
