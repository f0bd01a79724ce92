/** Named strings. */
type Fields = Readonly<Record<string, string>>;

/**
 * What all processes of an app share, apart from tasks: small values, records and messages. Everything rejects with a Failure
 * (UNAVAILABLE) if it cannot be reached, after about a second. Times to live are in milliseconds.
 */
export interface SharedState {
  /** Writes the value unless there is one. Returns what is there afterwards, whose time to live starts again. */
  add(key: string, value: string, ttl: number): Promise<string>;
  /** Creates a record: fields that are forgotten together. */
  create(key: string, fields: Fields, ttl: number): Promise<void>;
  /** All fields of a record; none if it is gone. */
  read(key: string): Promise<Fields>;
  /**
   * Starts the time to live of a record again, and writes those fields of `claims` that are missing or empty. Returns the
   * named fields, or undefined if the record is gone.
   */
  keep(
    key: string,
    ttl: number,
    names: readonly string[],
    claims?: Fields,
  ): Promise<readonly (string | undefined)[] | undefined>;
  /** Writes a field of a record. Returns false if the record is gone, or would have more than `max` fields. */
  put(key: string, name: string, value: string, max: number): Promise<boolean>;
  /** Removes a field of a record. */
  remove(key: string, name: string): Promise<void>;
  delete(key: string): Promise<void>;
  publish(channel: string, message: string): Promise<void>;
  /**
   * Also receives what this process publishes. Resolves when it is listening; the function ends that. After an interruption
   * it goes on by itself, and calls `onMissed`: messages may have been lost.
   */
  subscribe(channel: string, listener: (message: string) => void, onMissed?: () => void): Promise<() => void>;
  /** Resolves if messages arrive at the moment. */
  listening(): Promise<void>;
  close(): void;
}
