import type { Pool } from 'pg';
import { STORE_TIMEOUT_MS, succeeds } from '../core/within.ts';
import { openPool, PostgresLink } from './postgres-link.ts';
import type { PostgresPackage } from './postgres-link.ts';
import * as sql from './postgres-schema.ts';
import { hashOf, readHead, readRecord, toText } from './record-text.ts';
import { splitRecord } from './split-record.ts';
import { STATUSES } from './statuses.ts';
import { ttlOf } from './task-record.ts';
import type { TaskHead, TaskRecord } from './task-record.ts';
import type { ListOptions, TaskStats, TaskStore } from './task-store.ts';
import { Watch } from './watch.ts';

/** A lock of our own: processes that start at the same time create the tables one after the other. */
const LOCK = 7_301_988_017;

type Columns = Record<'head' | 'call' | 'questions' | 'answers' | 'outcome', string>;
type Status = { status: keyof TaskStats['byStatus']; count: number; dead: number; oldest: number };

/** Expired records are deleted so often, in milliseconds, by a process that creates tasks or looks for stale ones; and so many. */
const SWEEP_INTERVAL = 30_000;
const SWEEP_ROWS = 1000;

/** Milliseconds between two questions whether a listening connection still works: nothing else is sent on it. */
const CHECK_INTERVAL = 5000;

/** Keeps tasks in PostgreSQL, for all processes of the app. */
export class PostgresTaskStore implements TaskStore {
  readonly #app: string;
  readonly #link: PostgresLink<void>;
  readonly #channel: string;
  readonly #watch: Watch;
  #sweptAt = -Infinity;

  constructor(pg: PostgresPackage, url: string, app: string) {
    this.#app = app;
    this.#link = new PostgresLink(() => openPool(pg, url), createTables);
    // Names of channels have at most 63 characters.
    this.#channel = `everywire_${hashOf(app).slice(0, 32)}`;
    this.#watch = new Watch((onId, onLost) => listen(pg, url, this.#channel, onId, onLost));
  }

  async create(record: TaskRecord, key?: string): Promise<TaskRecord> {
    const [head, payloads] = splitRecord(record);
    const { id, version, owner, status, isDead, createdAt } = head;
    const names = [this.#app, id, key === undefined ? null : hashOf(key)];
    const facts = [status, isDead, createdAt, Date.now(), ttlOf(head), ...toText(head, payloads)];
    const values = [this.#app, id, version, hashOf(owner), names[2], ...facts];
    this.#sweep();
    for (;;) {
      const created = await this.#query(sql.CREATE, values);
      if (created.length > 0) return record;
      const [found] = await this.#query<Columns>(sql.FIND, names);
      if (found) return toRecord(found);
      // It has expired, and is in the way.
      await this.#query(sql.DELETE_EXPIRED, names);
    }
  }

  async read(id: string): Promise<TaskRecord | undefined> {
    const [found] = await this.#query<Columns>(sql.READ, [this.#app, id]);
    return found && toRecord(found);
  }

  async replace(next: TaskHead & Partial<TaskRecord>): Promise<boolean> {
    const [head, payloads] = splitRecord(next);
    const { id, version, status, isDead } = head;
    const facts = [id, version, status, isDead, Date.now(), ...toText(head, payloads)];
    return (await this.#query(sql.REPLACE, [this.#channel, this.#app, ...facts])).length === 1;
  }

  async list({ owner, isDead, limit }: ListOptions): Promise<readonly TaskHead[]> {
    const values: unknown[] = [this.#app, limit];
    const conditions: string[] = [];
    if (owner !== undefined) conditions.push(`owner = $${values.push(hashOf(owner))}`);
    if (isDead !== undefined) conditions.push(isDead ? 'is_dead' : 'NOT is_dead');
    return readHeads(await this.#query(sql.list(conditions), values));
  }

  async stale(before: number, limit: number): Promise<readonly TaskHead[]> {
    this.#sweep();
    return readHeads(await this.#query(sql.STALE, [this.#app, before, limit, Date.now()]));
  }

  async stats(): Promise<TaskStats> {
    const rows = await this.#query<Status>(sql.STATS, [this.#app]);
    const of = (status: string) => rows.find((row) => row.status === status);
    const byStatus = Object.fromEntries(STATUSES.map((status) => [status, of(status)?.count ?? 0]));
    return {
      byStatus: byStatus as TaskStats['byStatus'],
      dead: rows.reduce((sum, { dead }) => sum + dead, 0),
      oldestWorking: of('working')?.oldest,
    };
  }

  watch(listener: (id: string) => void): Promise<() => void> {
    return this.#watch.add(listener);
  }

  isReachable(): Promise<boolean> {
    return succeeds(this.#checkWritable());
  }

  async close(): Promise<void> {
    await Promise.all([this.#link.close(), this.#watch.close()]);
  }

  /** A replica, or a server in read-only mode, answers, but no task can be started. */
  async #checkWritable(): Promise<void> {
    const [row] = await this.#query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    if (row?.transaction_read_only !== 'off') throw new Error('PostgreSQL is read-only');
  }

  /** Every value is a parameter of its statement, never a part of it. */
  #query<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#link.run(async (pool) => (await pool.query<Row>(statement, [...values])).rows);
  }

  /** In the background. Whoever cannot reach the server learns it from their own statement. */
  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < SWEEP_INTERVAL) return;
    this.#sweptAt = now;
    this.#query(sql.SWEEP, [SWEEP_ROWS]).then(
      (rows) => (this.#sweptAt = rows.length === SWEEP_ROWS ? -Infinity : now),
      () => {},
    );
  }
}

/** One simple query is one transaction: all of it, or nothing; the lock ends with it. */
async function createTables(pool: Pool): Promise<void> {
  await pool.query(`SELECT pg_advisory_xact_lock(${LOCK}); ${sql.SCHEMA}`);
}

const readHeads = (rows: readonly object[]) => (rows as { head: string }[]).map(({ head }) => readHead(head));

const toRecord = ({ head, call, questions, answers, outcome }: Columns) =>
  readRecord([head, call, questions, answers, outcome]);

async function listen(
  pg: PostgresPackage,
  url: string,
  channel: string,
  onId: (id: string) => void,
  onLost: () => void,
): Promise<() => void> {
  // Keepalive: otherwise nobody would notice that the other end is gone.
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: STORE_TIMEOUT_MS,
    query_timeout: STORE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  let timer: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    clearInterval(timer);
    client.end().catch(() => {});
  };
  client.on('error', onLost);
  client.once('end', () => {
    clearInterval(timer);
    onLost();
  });
  client.on('notification', ({ payload }) => payload !== undefined && onId(payload));
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    end();
    throw error;
  }
  (client as { unref?: () => void }).unref?.();
  const lose = () => {
    end();
    onLost();
  };
  timer = setInterval(() => void client.query('SELECT 1').catch(lose), CHECK_INTERVAL);
  timer.unref();
  return end;
}
