import type { Redis } from 'ioredis';
import { safely } from '../core/safely.ts';
import { connectRedis, loadRedis, reasonOf } from './redis-connection.ts';

interface Subscription {
  readonly channel: string;
  readonly listener: (message: string) => void;
  readonly onMissed: (() => void) | undefined;
}

/** Milliseconds until an interrupted connection is opened again. */
const PAUSE = 500;

/** Milliseconds between two questions whether the connection still works: nothing else is sent on it. */
const CHECK = 5000;

/** A connection for messages, open while anybody is subscribed. If it is lost, it is opened again in the background. */
export class RedisSubscriber {
  readonly #subscriptions = new Set<Subscription>();
  #client: Redis | undefined;
  /** The attempt to open it, or the one that succeeded. */
  #opened: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isInterrupted = false;

  /** `onFailure` is told why the connection was lost, or could not be opened in the background. */
  constructor(
    private readonly url: string,
    private readonly onFailure: (thrown: unknown) => void,
  ) {}

  async subscribe(subscription: Subscription): Promise<() => void> {
    this.#subscriptions.add(subscription);
    const forget = () => {
      this.#subscriptions.delete(subscription);
      if (this.#subscriptions.size === 0) this.close();
    };
    try {
      await this.listening();
      await this.#client?.subscribe(subscription.channel);
    } catch (thrown) {
      forget();
      throw thrown;
    }
    return forget;
  }

  async listening(): Promise<void> {
    if (this.#subscriptions.size > 0) await (this.#opened ??= this.#open());
  }

  close(): void {
    this.#subscriptions.clear();
    clearTimeout(this.#timer);
    this.#opened = undefined;
    this.#client?.disconnect();
    this.#client = undefined;
  }

  async #open(): Promise<void> {
    clearTimeout(this.#timer);
    let client: Redis | undefined;
    try {
      const IORedis = await loadRedis();
      client = this.#client = connectRedis(IORedis, this.url, { autoResubscribe: false });
      client.on('message', (channel: string, message: string) => this.#deliver(channel, message));
      await client.subscribe(...this.#channels());
    } catch (thrown) {
      client?.disconnect();
      if (client === this.#client) this.#reopenLater();
      throw client ? reasonOf(client, thrown) : thrown;
    }
    if (client !== this.#client) return client.disconnect(); // closed meanwhile
    client.stream.unref(); // must not keep the process alive
    client.once('end', () => this.#onEnd(client));
    this.#checkLater(client);
    if (!this.#isInterrupted) return;
    this.#isInterrupted = false;
    for (const { onMissed } of this.#subscriptions) if (onMissed) safely(onMissed, this.onFailure);
  }

  #channels(): string[] {
    return [...new Set([...this.#subscriptions].map(({ channel }) => channel))];
  }

  #deliver(channel: string, message: string): void {
    for (const one of this.#subscriptions)
      if (one.channel === channel) safely(() => one.listener(message), this.onFailure);
  }

  #onEnd(client: Redis): void {
    if (client !== this.#client) return; // closed on purpose
    this.onFailure(reasonOf(client, new Error('The connection to Redis was lost')));
    this.#reopenLater();
  }

  #reopenLater(): void {
    this.#opened = undefined;
    this.#client = undefined;
    this.#isInterrupted = true;
    if (this.#subscriptions.size > 0) this.#later(PAUSE, () => this.listening().catch(this.onFailure));
  }

  #checkLater(client: Redis): void {
    this.#later(CHECK, () => {
      if (client === this.#client)
        client.ping().then(
          () => this.#checkLater(client),
          (thrown: unknown) => void reasonOf(client, thrown), // disconnects
        );
    });
  }

  #later(milliseconds: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, milliseconds);
    this.#timer.unref();
  }
}
