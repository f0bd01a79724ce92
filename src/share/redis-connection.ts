import type { Redis, RedisOptions } from 'ioredis';

/** Milliseconds for a connection, and for an answer. Callers wait meanwhile. */
const PATIENCE = 1000;

/** Rejects if the package is not installed. */
export async function loadRedis(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch (cause) {
    throw new Error('Sharing sessions in Redis needs the package ioredis: npm install ioredis', { cause });
  }
}

/** Connects once, and not again in the background: a timer would keep the process alive. */
export function connectRedis(
  IORedis: typeof Redis,
  url: string,
  options: Pick<RedisOptions, 'scripts' | 'autoResubscribe'> = {},
): Redis {
  const client = new IORedis(url, {
    ...options,
    connectTimeout: PATIENCE,
    commandTimeout: PATIENCE,
    retryStrategy: () => null,
    autoResendUnfulfilledCommands: false,
  });
  // Says why the connection failed; the commands only say that it is closed.
  client.on('error', (error: unknown) => failures.set(client, error));
  return client;
}

const failures = new WeakMap<Redis, unknown>();

/** Why a command failed. What did not answer in time is disconnected: it may never answer again. */
export function reasonOf(client: Redis, error: unknown): unknown {
  if (error instanceof Error && error.message === 'Command timed out') client.disconnect();
  return failures.get(client) ?? error;
}
