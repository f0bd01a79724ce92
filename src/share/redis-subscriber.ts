import { safely } from '../core/safely.ts';
import { openChannels } from '../redis/connections.ts';
import type { RedisChannels, RedisClass } from '../redis/connections.ts';

interface Subscription {
  readonly channel: string;
  readonly listener: (message: string) => void;
  readonly onMissed: (() => void) | undefined;
}

/** Milliseconds until an interrupted connection is opened again. */
const PAUSE = 500;

/** A connection for messages, open while anybody is subscribed. If it is lost, it is opened again in the background. */
export class RedisSubscriber {
  readonly #subscriptions = new Set<Subscription>();
  #channels: RedisChannels | undefined;
  /** The attempt to open it, or the one that succeeded. */
  #opened: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isInterrupted = false;
  /** Increases with every attempt to open it, and when it is closed. */
  #turn = 0;

  /** `onFailure` is told why the connection was lost, or could not be opened in the background. */
  constructor(
    private readonly load: () => Promise<RedisClass>,
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
      await this.#channels?.add(subscription.channel);
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
    this.#turn++;
    this.#opened = undefined;
    this.#channels?.close();
    this.#channels = undefined;
  }

  /** Opens the connection again: another server may be the one that has the messages. */
  renew(): void {
    if (!this.#channels) return;
    this.#channels.close();
    this.#reopenLater();
  }

  async #open(): Promise<void> {
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    const onLost = (reason: unknown) => {
      if (turn !== this.#turn) return;
      this.onFailure(reason);
      this.#reopenLater();
    };
    try {
      const deliver = (channel: string, message: string) => this.#deliver(channel, message);
      const channels = await openChannels(await this.load(), this.url, this.#names(), deliver, onLost);
      if (turn !== this.#turn) return channels.close(); // closed meanwhile
      this.#channels = channels;
    } catch (thrown) {
      if (turn === this.#turn) this.#reopenLater();
      throw thrown;
    }
    if (!this.#isInterrupted) return;
    this.#isInterrupted = false;
    for (const { onMissed } of this.#subscriptions) if (onMissed) safely(onMissed, this.onFailure);
  }

  #names(): string[] {
    return [...new Set([...this.#subscriptions].map(({ channel }) => channel))];
  }

  #deliver(channel: string, message: string): void {
    for (const one of this.#subscriptions)
      if (one.channel === channel) safely(() => one.listener(message), this.onFailure);
  }

  #reopenLater(): void {
    this.#opened = undefined;
    this.#channels = undefined;
    this.#isInterrupted = true;
    clearTimeout(this.#timer);
    if (this.#subscriptions.size === 0) return;
    this.#timer = setTimeout(() => void this.listening().catch(this.onFailure), PAUSE);
    this.#timer.unref();
  }
}
