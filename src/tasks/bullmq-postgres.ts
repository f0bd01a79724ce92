import type { Pool } from 'pg';
import { JOB, STREAMS } from './bullmq-backend.ts';
import type { Bullmq, BullmqBackend, LegProcessor, LegQueue, LegWorker, OpenWorker } from './bullmq-backend.ts';
import { openPool, PostgresLink } from './postgres-link.ts';
import type { PostgresPackage } from './postgres-link.ts';

/** BullMQ on PostgreSQL, in its schema `bullmq`. */
export class BullmqPostgres implements BullmqBackend {
  readonly #bullmq: Bullmq;
  readonly #pg: PostgresPackage;
  readonly #url: string;
  readonly #name: string;
  readonly #link: PostgresLink<LegQueue>;

  constructor(bullmq: Bullmq, pg: PostgresPackage, url: string, app: string) {
    this.#bullmq = bullmq;
    this.#pg = pg;
    this.#url = url;
    // All apps have one table. The name of a queue has no colon.
    this.#name = `everywire-${encodeURIComponent(app.toWellFormed())}`;
    this.#link = new PostgresLink(
      () => this.#open(),
      (pool) => this.#prepare(pool),
    );
  }

  use<T>(work: (queue: LegQueue) => Promise<T>): Promise<T> {
    return this.#link.run((_, queue) => work(queue));
  }

  existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const statement = `SELECT id FROM job WHERE queue = $1 AND id = ANY($2) AND state NOT IN ('completed', 'failed')`;
    return this.#link.run(async (pool) => {
      const { rows } = await pool.query<{ id: string }>(statement, [this.#name, ids]);
      return new Set(rows.map(({ id }) => id));
    });
  }

  async openWorker(process: LegProcessor, options: object, prepare: (worker: LegWorker) => void): Promise<OpenWorker> {
    const pool = withRefusals(this.#open());
    const { Worker, createPostgresBackend } = this.#bullmq;
    const worker: LegWorker = new Worker(
      this.#name,
      process,
      { ...options, connection: pool },
      createPostgresBackend as never,
    );
    prepare(worker);
    const disconnect = async () => {
      await worker.disconnect();
      await pool.end();
    };
    // BullMQ keeps the first error for ever.
    await worker.waitUntilReady().catch(async (error: unknown) => {
      await worker.close(true).catch(() => {});
      await disconnect();
      throw error;
    });
    return { worker, disconnect };
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  /** BullMQ's statements name no schema. */
  #open(): Pool {
    return openPool(this.#pg, this.#url, { options: '-c search_path=bullmq' });
  }

  async #prepare(pool: Pool): Promise<LegQueue> {
    const { Queue, createPostgresBackend, runMigrations } = this.#bullmq;
    const client = await pool.connect();
    let failure: unknown;
    try {
      await runMigrations(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(failure !== undefined);
    }
    const options = { streams: STREAMS, defaultJobOptions: JOB, connection: pool as never };
    const queue = new Queue(this.#name, options, createPostgresBackend as never) as unknown as LegQueue;
    // Whoever waits for a statement learns it from that.
    queue.on('error', () => {});
    // BullMQ keeps the first error for ever.
    await queue.waitUntilReady();
    return queue;
  }
}

/**
 * For workers: BullMQ tries again after a pause if the message of an error is that of a refused TCP connection, and at once, or
 * never, after all others; but connections are lost in many ways.
 */
function withRefusals(pool: Pool): Pool {
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  const translated = (...given: unknown[]) =>
    query(...given).catch((error: unknown) => {
      if (isFromServer(error)) throw error;
      throw Object.assign(new Error('ECONNREFUSED', { cause: error }), { code: 'ECONNREFUSED' });
    });
  return Object.assign(pool, { query: translated });
}

/** Whether a statement was refused. Not if the server ends or starts, which the class 57 stands for. */
const isFromServer = (error: unknown) => /^(?!57)[0-9A-Z]{5}$/.test((error as { code?: string }).code ?? '');
