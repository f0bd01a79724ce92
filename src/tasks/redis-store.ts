import type { Redis } from 'ioredis';
import { succeeds } from '../core/within.ts';
import { openChannels, RedisLink, requireMaster } from '../redis/connections.ts';
import type { RedisClass } from '../redis/connections.ts';
import { SCRIPTS } from './redis-scripts.ts';
import { hashOf, readHead, readRecord, toText } from './record-text.ts';
import type { RecordText } from './record-text.ts';
import { PAYLOADS, splitRecord } from './split-record.ts';
import { STATUSES } from './statuses.ts';
import { ttlOf } from './task-record.ts';
import type { TaskHead, TaskRecord } from './task-record.ts';
import type { ListOptions, TaskStats, TaskStore } from './task-store.ts';
import { Watch } from './watch.ts';

type Script = (...args: readonly (string | number)[]) => Promise<unknown>;
type Client = Redis & Record<keyof typeof SCRIPTS, Script>;

/** How many ids are looked at at a time, if some of them are not listed. */
const PAGE = 100;

/** Keeps tasks in Redis, for all processes of the app. */
export class RedisTaskStore implements TaskStore {
  /** In braces: Redis Cluster then keeps all keys of the app in one place, where a script reaches them. */
  readonly #prefix: string;
  readonly #link: RedisLink;
  readonly #watch: Watch;

  constructor(redis: RedisClass, url: string, app: string) {
    this.#prefix = `everywire:{${app}}:tasks`;
    const scripts = Object.entries(SCRIPTS).map(([name, lua]) => [name, { lua, numberOfKeys: 1 }] as const);
    const options = { scripts: Object.fromEntries(scripts) };
    this.#link = new RedisLink(
      async () => redis,
      url,
      options,
      () => this.#watch.renew(),
    );
    this.#watch = new Watch(async (onId, onLost) => {
      const channels = await openChannels(redis, url, [this.#channel], (_, id) => onId(id), onLost);
      return () => channels.close();
    });
  }

  async create(record: TaskRecord, key?: string): Promise<TaskRecord> {
    const [head, payloads] = splitRecord(record);
    const { id, version, status, isDead, createdAt } = head;
    const hashes = [hashOf(head.owner), key === undefined ? '' : hashOf(key)];
    const facts = [id, version, status, isDead ? 1 : 0, createdAt, ttlOf(head) ?? '', Date.now(), ...hashes];
    const found = await this.#run('taskCreate', ...facts, ...fieldsOf(head, payloads));
    return found ? readRecord(found as RecordText) : record;
  }

  async read(id: string): Promise<TaskRecord | undefined> {
    const fields = await this.#link.run((client) => client.hmget(`${this.#prefix}:task:${id}`, 'head', ...PAYLOADS));
    const record = fields[0] ? readRecord(fields as unknown as RecordText) : undefined;
    // Replies in another order would show a caller the task of another caller.
    if (record && record.id !== id) throw new Error('Redis answered with another task');
    return record;
  }

  async replace(next: TaskHead & Partial<TaskRecord>): Promise<boolean> {
    const [head, payloads] = splitRecord(next);
    const { id, version, status, isDead } = head;
    const facts = [this.#channel, id, version, status, isDead ? 1 : 0, Date.now()];
    return (await this.#run('taskReplace', ...facts, ...fieldsOf(head, payloads))) === 1;
  }

  async list({ owner, isDead, limit }: ListOptions): Promise<readonly TaskHead[]> {
    const set = isDead === true ? 'dead' : owner === undefined ? 'all' : `owner:${hashOf(owner)}`;
    // By id: others may be created meanwhile, and move those that were seen to the next page.
    const heads = new Map<string, TaskHead>();
    const page = Math.max(limit, PAGE);
    for (let start = 0, ids = page; ids === page && heads.size < limit; start += page) {
      const [count, found] = (await this.#run('taskList', set, start, start + page - 1)) as [number, string[]];
      ids = count;
      for (const head of found.map(readHead)) {
        if (owner !== undefined && head.owner !== owner) continue;
        if (isDead === undefined || head.isDead === isDead) heads.set(head.id, head);
      }
    }
    return [...heads.values()].slice(0, limit);
  }

  async stale(before: number, limit: number): Promise<readonly TaskHead[]> {
    return ((await this.#run('taskStale', before, limit, Date.now())) as string[]).map(readHead);
  }

  async stats(): Promise<TaskStats> {
    const sets = [...STATUSES.map((status) => `status:${status}`), 'dead'];
    let result: (number | string)[];
    do result = (await this.#run('taskStats', ...sets)) as (number | string)[];
    while (result[0] === 1);
    const [, ...counts] = result;
    const oldest = counts.pop();
    const dead = counts.pop() as number;
    const byStatus = Object.fromEntries(STATUSES.map((status, i) => [status, counts[i]])) as TaskStats['byStatus'];
    return { byStatus, dead, oldestWorking: oldest === '' ? undefined : Number(oldest) };
  }

  watch(listener: (id: string) => void): Promise<() => void> {
    return this.#watch.add(listener);
  }

  isReachable(): Promise<boolean> {
    return succeeds(this.#link.run(requireMaster));
  }

  async close(): Promise<void> {
    this.#link.close();
    await this.#watch.close();
  }

  get #channel(): string {
    return `${this.#prefix}:changes`;
  }

  #run(script: keyof typeof SCRIPTS, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#link.run((client) => (client as Client)[script](this.#prefix, ...args));
  }
}

/** Names and values of those that are given. */
function fieldsOf(head: TaskHead, payloads: Partial<TaskRecord>): string[] {
  const [text, ...values] = toText(head, payloads);
  return ['head', text, ...values.flatMap((value, i) => (value === null ? [] : [PAYLOADS[i]!, value]))];
}
