import type { Pool } from 'pg';
import { STORE_TIMEOUT_MS } from '../core/within.ts';

/** The package pg, which is optional, and loaded by whoever opens a store. */
export type PostgresPackage = Pick<typeof import('pg'), 'Pool' | 'Client'>;

interface Connections<T> {
  readonly pool: Pool;
  prepared: Promise<T> | undefined;
}

/** A pool of connections that is prepared before it is used first. Fails fast; does not keep the process alive. */
export class PostgresLink<T> {
  readonly #open: () => Pool;
  readonly #prepare: (pool: Pool) => Promise<T>;
  #connections: Connections<T>;

  constructor(open: () => Pool, prepare: (pool: Pool) => Promise<T>) {
    this.#open = open;
    this.#prepare = prepare;
    this.#connections = { pool: open(), prepared: undefined };
  }

  async run<R>(work: (pool: Pool, prepared: T) => Promise<R>): Promise<R> {
    const connections = this.#connections;
    connections.prepared ??= this.#prepare(connections.pool).catch((error: unknown) => {
      connections.prepared = undefined;
      throw error;
    });
    try {
      return await work(connections.pool, await connections.prepared);
    } catch (error) {
      if (isLate(error)) this.#replace(connections);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connections.pool.end();
  }

  /** The server may be gone without a word. Then all connections are silent, and each would make another caller wait. */
  #replace(connections: Connections<T>): void {
    if (this.#connections !== connections) return;
    this.#connections = { pool: this.#open(), prepared: undefined };
    connections.pool.end().catch(() => {});
  }
}

/** Shorter than the client's, so that a statement that waits for a lock does not look like a silent connection. */
const STATEMENT_TIMEOUT_MS = STORE_TIMEOUT_MS - 200;

/** The package has no code for it. */
const isLate = (error: unknown) => error instanceof Error && error.message === 'Query read timeout';

const ignore = () => {};

export function openPool(pg: PostgresPackage, url: string, options: object = {}): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 5,
    connectionTimeoutMillis: STORE_TIMEOUT_MS,
    query_timeout: STORE_TIMEOUT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    // The client stops waiting, but the server would go on, for example for a lock, and each new attempt would take one more
    // of its connections. By a statement, since PgBouncer refuses it as a parameter of the connection. If it fails, so will the next one.
    onConnect: (client) => client.query(`SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`).then(ignore, ignore),
    ...options,
  });
  // A connection that breaks while nobody uses it is replaced; without a listener the process would end.
  pool.on('error', () => {});
  return pool;
}
