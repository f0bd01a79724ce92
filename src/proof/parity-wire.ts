/** A call, the same for every wire. */
export interface ParityCall {
  readonly function: string;
  readonly input: unknown;
}

/** A response, as far as the wire carries it. */
export interface ParityAnswer {
  /** The exact bytes. */
  readonly body: string;
  /** The failure code; undefined for a success. */
  readonly code: string | undefined;
  readonly status?: number;
  readonly exit?: number;
}

export interface ParityWire {
  readonly name: string;
  /** Whether each call starts a process; only a sample of the calls is made then. */
  readonly isCostly?: boolean;
  call(call: ParityCall): Promise<ParityAnswer>;
  close(): Promise<void>;
}
