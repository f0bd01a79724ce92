import type { Pool, QueryResultRow } from 'pg';
import { PATIENCE } from './patience.ts';

/** The package pg, which is optional, and loaded by whoever opens a store. */
export type PostgresPackage = Pick<typeof import('pg'), 'Pool' | 'Client'>;

/** A lock of our own: processes that start at the same time create the tables one after the other. */
const LOCK = 7_301_988_017;

/** A pool of connections that creates the tables before its first statement. Fails fast; does not keep the process alive. */
export class PostgresLink {
  readonly #pool: Pool;
  readonly #schema: string;
  #isReady: Promise<void> | undefined;

  constructor(pg: PostgresPackage, url: string, schema: string) {
    this.#schema = schema;
    this.#pool = openPool(pg, url);
  }

  /** Every value is a parameter of its statement, never a part of it. */
  async query<Row extends QueryResultRow>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    this.#isReady ??= this.#prepare().catch((error: unknown) => {
      this.#isReady = undefined;
      throw error;
    });
    await this.#isReady;
    return (await this.#pool.query<Row>(statement, [...values])).rows;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #prepare(): Promise<void> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      // One simple query is one transaction: all tables, or none; the lock ends with it.
      await client.query(`SELECT pg_advisory_xact_lock(${LOCK}); ${this.#schema}`);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}

export function openPool(pg: PostgresPackage, url: string, options: object = {}): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 5,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
    keepAlive: true,
    allowExitOnIdle: true,
    ...options,
  });
  // A connection that breaks while nobody uses it is replaced; without a listener the process would end.
  pool.on('error', () => {});
  return pool;
}
