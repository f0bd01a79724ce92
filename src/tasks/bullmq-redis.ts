import type { Redis } from 'ioredis';
import { JOB, STREAMS } from './bullmq-backend.ts';
import type { Bullmq, BullmqBackend, LegProcessor, LegQueue, LegWorker, OpenWorker } from './bullmq-backend.ts';
import { openRedis, RedisLink } from './redis-link.ts';
import type { RedisClass } from './redis-link.ts';

/** Below the prefix of the app. */
const NAME = 'legs';

/** Milliseconds until a worker tries to connect again. */
const PAUSE = 500;

/** BullMQ on Redis. */
export class BullmqRedis implements BullmqBackend {
  readonly #bullmq: Bullmq;
  readonly #class: RedisClass;
  readonly #url: string;
  readonly #prefix: string;
  readonly #link: RedisLink;
  readonly #queues = new WeakMap<Redis, LegQueue>();

  constructor(bullmq: Bullmq, redis: RedisClass, url: string, app: string) {
    this.#bullmq = bullmq;
    this.#class = redis;
    this.#url = url;
    this.#prefix = `everywire:{${app}}`;
    this.#link = new RedisLink(redis, url);
  }

  use<T>(work: (queue: LegQueue) => Promise<T>): Promise<T> {
    return this.#link.run((client) => work(this.#queueOf(client)));
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const replies = await this.#link.run((client) => {
      const { toKey } = this.#queueOf(client);
      return ids.reduce((pipeline, id) => pipeline.exists(toKey(id)), client.pipeline()).exec();
    });
    const failed = replies?.find(([error]) => error);
    if (failed?.[0]) throw failed[0];
    return new Set(ids.filter((_, i) => replies?.[i]?.[1] === 1));
  }

  async openWorker(process: LegProcessor, options: object, prepare: (worker: LegWorker) => void): Promise<OpenWorker> {
    let isEnding = false;
    // A worker waits for a server that is gone. BullMQ opens a second connection, with the same options.
    const client = openRedis(this.#class, this.#url, {
      maxRetriesPerRequest: null,
      retryStrategy: () => (isEnding ? null : PAUSE),
    });
    const { Worker } = this.#bullmq;
    const worker: LegWorker = new Worker(NAME, process, {
      ...options,
      prefix: this.#prefix,
      connection: client,
    });
    prepare(worker);
    return {
      worker,
      disconnect: async () => {
        isEnding = true;
        client.disconnect();
      },
    };
  }

  async close(): Promise<void> {
    this.#link.close();
  }

  #queueOf(client: Redis): LegQueue {
    let queue = this.#queues.get(client);
    if (!queue) {
      const options = { prefix: this.#prefix, streams: STREAMS, defaultJobOptions: JOB };
      queue = new this.#bullmq.Queue(NAME, { ...options, connection: client }) as LegQueue;
      // Whoever waits for a command learns it from that.
      queue.on('error', () => {});
      this.#queues.set(client, queue);
    }
    return queue;
  }
}
