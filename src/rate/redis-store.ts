import type { Redis } from 'ioredis';
import type { Count, RateStore, Refusal } from './rate-store.ts';
import { TAKE_SCRIPT } from './take-script.ts';

/** Milliseconds for a connection, and for an answer. Callers wait meanwhile. */
const PATIENCE = 2000;

type Take = (keys: number, ...rest: readonly (string | number)[]) => Promise<[refused: number, wait: number]>;
type Client = Redis & { take: Take };

/** Counts in Redis, together with all processes of the app. */
export function createRedisStore(url: string, app: string): RateStore {
  /** In braces: Redis Cluster then keeps all keys of the app in one place, where a script reaches them. */
  const prefix = `everywire:{${app}}`;
  let client: Client | undefined;
  let running = 0;

  return {
    async take(counts) {
      const connected = await connect();
      // The connection must not keep the process alive, unless somebody waits for an answer.
      running++;
      connected.stream?.ref?.();
      try {
        const keys = counts.map(({ limit, key }) => `${prefix}:${limit.id}:${key}`);
        const numbers = counts.flatMap(({ limit: { period, capacity, interval } }) => [period, capacity, interval]);
        const [refused, wait] = await connected.take(keys.length, ...keys, ...numbers);
        return toRefusal(counts, refused, wait);
      } catch (error) {
        throw failures.get(connected) ?? error;
      } finally {
        if (--running === 0) connected.stream?.unref?.();
      }
    },
    close() {
      client?.disconnect();
      client = undefined;
    },
  };

  /** Connects again with the next call, and not in the background: a timer would keep the process alive. */
  async function connect(): Promise<Client> {
    const IORedis = await load();
    if (client && client.status !== 'end') return client;
    const created = new IORedis(url, {
      connectTimeout: PATIENCE,
      commandTimeout: PATIENCE,
      retryStrategy: () => null,
      autoResendUnfulfilledCommands: false,
      scripts: { take: { lua: TAKE_SCRIPT } },
    });
    // Says why the connection failed; the commands only say that it is closed.
    created.on('error', (error: unknown) => failures.set(created, error));
    return (client = created as Client);
  }
}

const failures = new WeakMap<Redis, unknown>();

function toRefusal(counts: readonly Count[], refused: number, wait: number): Refusal | undefined {
  return refused === 0 ? undefined : { limit: counts[refused - 1]!.limit, wait };
}

async function load(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch (cause) {
    throw new Error('Counting in Redis needs the package ioredis: npm install ioredis', { cause });
  }
}
