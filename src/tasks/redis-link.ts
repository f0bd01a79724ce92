import type { Redis, RedisOptions as AllOptions } from 'ioredis';
import { LateError, PATIENCE, within } from './patience.ts';

/** The class of ioredis: the package is optional, and loaded by whoever opens a store. */
export type RedisClass = typeof Redis;

/** One of them changes the types of replies. */
export type RedisOptions = Omit<AllOptions, 'replyMapping'>;

interface Connection {
  readonly client: Redis;
  running: number;
}

/**
 * A connection that is opened with the first command, and again with the first command after it was lost. Commands fail
 * fast, and nothing keeps the process alive but commands that somebody waits for.
 */
export class RedisLink {
  readonly #class: RedisClass;
  readonly #url: string;
  readonly #options: RedisOptions;
  #connection: Connection | undefined;

  constructor(redis: RedisClass, url: string, options: RedisOptions = {}) {
    this.#class = redis;
    this.#url = url;
    this.#options = options;
  }

  async run<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const connection = this.#connect();
    const { client } = connection;
    connection.running++;
    client.stream?.ref?.();
    try {
      return await within(work(client), 'Redis');
    } catch (error) {
      // The server may be gone without a word: the next command tries another connection.
      if (error instanceof LateError && this.#connection === connection) this.#connection = undefined;
      // Says why the connection failed; commands only say that it is closed.
      throw client.status === 'ready' ? error : (failures.get(client) ?? error);
    } finally {
      if (--connection.running === 0) {
        if (this.#connection === connection) client.stream?.unref?.();
        else client.disconnect();
      }
    }
  }

  close(): void {
    this.#connection?.client.disconnect();
    this.#connection = undefined;
  }

  /** Not in the background: a timer would keep the process alive. */
  #connect(): Connection {
    if (this.#connection && this.#connection.client.status !== 'end') return this.#connection;
    const options = { retryStrategy: () => null, autoResendUnfulfilledCommands: false, ...this.#options };
    const client = openRedis(this.#class, this.#url, options);
    return (this.#connection = { client, running: 0 });
  }
}

export function openRedis(redis: RedisClass, url: string, options: RedisOptions): Redis {
  const settings: RedisOptions = { connectTimeout: PATIENCE, ...options };
  const client = new redis(url, settings);
  client.on('error', (error: unknown) => failures.set(client, error));
  return client;
}

const failures = new WeakMap<Redis, unknown>();
