import type { Redis } from 'ioredis';
import { JOB, STREAMS } from './bullmq-backend.ts';
import type { Bullmq, BullmqBackend, LegProcessor, LegQueue, LegWorker, OpenWorker } from './bullmq-backend.ts';
import { openWaiting, RedisLink } from '../redis/connections.ts';
import type { RedisClass } from '../redis/connections.ts';

/** Below the prefix of the app. */
const NAME = 'legs';

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
    this.#link = new RedisLink(async () => redis, url);
  }

  use<T>(work: (queue: LegQueue) => Promise<T>): Promise<T> {
    return this.#link.run((client) => work(this.#queueOf(client)));
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#link.run(async (client) => {
      const { toKey } = this.#queueOf(client);
      const replies = await ids.reduce((pipeline, id) => pipeline.exists(toKey(id)), client.pipeline()).exec();
      const failed = replies?.find(([error]) => error);
      if (failed?.[0]) throw failed[0];
      return new Set(ids.filter((_, i) => replies?.[i]?.[1] === 1));
    });
  }

  async openWorker(process: LegProcessor, options: object, prepare: (worker: LegWorker) => void): Promise<OpenWorker> {
    let isEnding = false;
    // BullMQ opens a second connection, with the same options.
    const client = openWaiting(this.#class, this.#url, () => isEnding);
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
