/** A call, the same for every wire. */
export interface ParityCall {
  readonly function: string;
  readonly input: unknown;
}

/** What came back, as far as a wire says. */
export interface ParityAnswer {
  /** To the byte. */
  readonly body: string;
  /** Of a failure; undefined for a success. */
  readonly code: string | undefined;
  readonly status?: number;
  readonly exit?: number;
}

export interface ParityWire {
  readonly name: string;
  /** Whether a process is started for each call, so that only some calls are made. */
  readonly isCostly?: boolean;
  call(call: ParityCall): Promise<ParityAnswer>;
  close(): Promise<void>;
}
