/** What all processes of an app share, apart from tasks: small values and messages. Rejects if it cannot be reached. */
export interface SharedState {
  get(key: string): Promise<string | undefined>;
  /** Forgotten after `ttl` milliseconds. */
  set(key: string, value: string, ttl: number): Promise<void>;
  /** Writes the value unless there is one. Returns what is there afterwards. */
  add(key: string, value: string, ttl: number): Promise<string>;
  /** Starts the time to live of a value again. False if it is gone. */
  keep(key: string, ttl: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  publish(channel: string, message: string): Promise<void>;
  /** Also receives what this process publishes. Resolves when it is listening; the function ends that. */
  subscribe(channel: string, listener: (message: string) => void): Promise<() => void>;
  close(): Promise<void>;
}
