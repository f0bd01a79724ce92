import type { Redis, RedisOptions as AllOptions } from 'ioredis';
import { PATIENCE } from './patience.ts';

/** The class of ioredis: the package is optional, and loaded by whoever opens a store. */
export type RedisClass = typeof Redis;

/** One of them changes the types of replies. */
export type RedisOptions = Omit<AllOptions, 'replyMapping'>;

/**
 * A connection that is opened with the first command, and again with the first command after it was lost. Commands fail
 * fast, and nothing keeps the process alive but commands that somebody waits for.
 */
export class RedisLink {
  readonly #class: RedisClass;
  readonly #url: string;
  readonly #options: RedisOptions;
  #client: Redis | undefined;
  #running = 0;

  constructor(redis: RedisClass, url: string, options: RedisOptions = {}) {
    this.#class = redis;
    this.#url = url;
    this.#options = options;
  }

  async run<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const client = this.#connect();
    this.#running++;
    client.stream?.ref?.();
    try {
      return await work(client);
    } catch (error) {
      // Says why the connection failed; commands only say that it is closed.
      throw client.status === 'end' ? (failures.get(client) ?? error) : error;
    } finally {
      if (--this.#running === 0) client.stream?.unref?.();
    }
  }

  close(): void {
    this.#client?.disconnect();
    this.#client = undefined;
  }

  /** Not in the background: a timer would keep the process alive. */
  #connect(): Redis {
    if (this.#client && this.#client.status !== 'end') return this.#client;
    return (this.#client = openRedis(this.#class, this.#url, { commandTimeout: PATIENCE, ...this.#options }));
  }
}

/** A connection that is not opened again when it is lost. */
export function openRedis(redis: RedisClass, url: string, options: RedisOptions): Redis {
  const settings: RedisOptions = {
    connectTimeout: PATIENCE,
    retryStrategy: () => null,
    autoResendUnfulfilledCommands: false,
    ...options,
  };
  const client = new redis(url, settings);
  client.on('error', (error: unknown) => failures.set(client, error));
  return client;
}

const failures = new WeakMap<Redis, unknown>();
