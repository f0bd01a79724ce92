import type { Redis, RedisOptions as AllOptions } from 'ioredis';
import { importIoredis } from '#optional';
import { LateError, STORE_TIMEOUT_MS, within } from '../core/within.ts';

/** The class of ioredis: the package is optional, and loaded on first use. */
export type RedisClass = typeof Redis;

/** One of them changes the types of replies. */
export type RedisOptions = Omit<AllOptions, 'replyMapping'>;

/** Rejects if the package is not installed. `purpose` begins the sentence that says so. */
export async function loadRedis(purpose: string): Promise<RedisClass> {
  try {
    return (await importIoredis()).Redis;
  } catch (cause) {
    throw new Error(`${purpose} needs the package ioredis: npm install ioredis`, { cause });
  }
}

/**
 * Error replies of a server that is not the right one any more: it was the master and is now a replica, it loads its data, or it
 * wants other credentials. It does not close its connections, but the address may lead to another server by now. Before Redis 7,
 * errors inside of scripts have the code in the middle of the message.
 */
const WRONG_SERVER = /(^|-)(READONLY|LOADING|MASTERDOWN|UNBLOCKED|NOAUTH|WRONGPASS)\b/;

const isFromWrongServer = (error: unknown): boolean => error instanceof Error && WRONG_SERVER.test(error.message);

/** Throws if the server is a replica, which can be read but not written. */
export async function requireMaster(client: Redis): Promise<void> {
  const role = await client.role().catch((error: unknown) => {
    if (isFromWrongServer(error) || client.status !== 'ready') throw error;
    return ['master']; // not every user may ask, and not every proxy knows the command
  });
  if (role[0] !== 'master') throw new Error(`READONLY The server is a ${String(role[0])}`);
}

interface Connection {
  readonly client: Redis;
  running: number;
}

/**
 * A connection for commands, opened with the first one. It is replaced when it is lost, when it does not answer, and when the
 * server is the wrong one. Commands fail fast, and only commands that are awaited keep the process alive.
 */
export class RedisLink {
  #connection: Connection | undefined;

  constructor(
    private readonly load: () => Promise<RedisClass>,
    private readonly url: string,
    private readonly options: RedisOptions = {},
    /** Called when the server was the wrong one, so that connections that only listen are opened again, too. */
    private readonly onWrongServer: () => void = () => {},
  ) {}

  async run<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const connection = this.#connect(await this.load());
    const { client } = connection;
    connection.running++;
    client.stream?.ref?.();
    try {
      return await within(work(client), 'Redis');
    } catch (error) {
      const isWrong = isFromWrongServer(error);
      // A server may be gone without a word: the next command tries another connection.
      if ((isWrong || error instanceof LateError) && this.#connection === connection) this.#connection = undefined;
      if (isWrong) this.onWrongServer();
      throw reasonOf(client, error);
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
  #connect(redis: RedisClass): Connection {
    if (this.#connection && this.#connection.client.status !== 'end') return this.#connection;
    const client = open(redis, this.url, { ...ONCE, autoResendUnfulfilledCommands: false, ...this.options });
    return (this.#connection = { client, running: 0 });
  }
}

/** A connection that listens to channels. */
export interface RedisChannels {
  add(channel: string): Promise<void>;
  close(): void;
}

/** Milliseconds between two questions whether a listening connection still works: nothing else is sent on it. */
const CHECK_INTERVAL_MS = 5000;

/** Resolves when it is listening. Calls `onLost` once, when the connection is lost or does not answer any more. */
export async function openChannels(
  redis: RedisClass,
  url: string,
  channels: readonly string[],
  onMessage: (channel: string, message: string) => void,
  onLost: (reason: unknown) => void,
): Promise<RedisChannels> {
  const client = open(redis, url, { ...ONCE, autoResubscribe: false });
  client.on('message', onMessage);
  const add = async (...added: readonly string[]) => void (await within(client.subscribe(...added), 'Redis'));
  try {
    await add(...channels);
  } catch (error) {
    client.disconnect();
    throw reasonOf(client, error);
  }
  client.stream?.unref?.(); // must not keep the process alive
  let timer: ReturnType<typeof setTimeout>;
  const check = () => {
    timer = setTimeout(() => within(client.ping(), 'Redis').then(check, () => client.disconnect()), CHECK_INTERVAL_MS);
    timer.unref();
  };
  const lose = () => {
    clearTimeout(timer);
    onLost(reasonOf(client, new Error('The connection to Redis was lost')));
  };
  client.once('end', lose);
  check();
  return {
    add,
    close() {
      clearTimeout(timer);
      client.off('end', lose);
      client.disconnect();
    },
  };
}

/** Milliseconds until a connection that waits for its server tries again. */
const RECONNECT_DELAY_MS = 500;

/**
 * A connection that waits for a server that is gone, until `isEnding` says that it is no longer needed. The longest that a worker
 * blocks is 10 seconds, so a server that is silent for longer is gone.
 */
export function openWaiting(redis: RedisClass, url: string, isEnding: () => boolean): Redis {
  return open(redis, url, {
    maxRetriesPerRequest: null,
    retryStrategy: () => (isEnding() ? null : RECONNECT_DELAY_MS),
    reconnectOnError: isFromWrongServer,
    socketTimeout: 15_000,
    keepAlive: 10_000,
  });
}

const ONCE: RedisOptions = { retryStrategy: () => null };

function open(redis: RedisClass, url: string, options: RedisOptions): Redis {
  const settings: RedisOptions = { connectTimeout: STORE_TIMEOUT_MS, ...options };
  const client = new redis(url, settings);
  client.on('error', (error: unknown) => failures.set(client, error));
  return client;
}

const failures = new WeakMap<Redis, unknown>();

/** Says why the connection failed; commands only say that it is closed. */
const reasonOf = (client: Redis, error: unknown): unknown =>
  client.status === 'ready' ? error : (failures.get(client) ?? error);
