import type { Redis } from 'ioredis';
import { SCRIPTS } from './record-scripts.ts';
import type { RecordScripts } from './record-scripts.ts';
import { connectRedis, loadRedis, reasonOf } from './redis-connection.ts';

type Client = Redis & RecordScripts;

/** A connection for commands, opened with the first one. If it is lost, the next command opens another. */
export class RedisCommands {
  #client: Client | undefined;
  #running = 0;

  constructor(private readonly url: string) {}

  async run<T>(command: (client: Client) => Promise<T>): Promise<T> {
    const IORedis = await loadRedis();
    if (!this.#client || this.#client.status === 'end')
      this.#client = connectRedis(IORedis, this.url, { scripts: SCRIPTS }) as Client;
    const client = this.#client;
    // The connection must not keep the process alive, unless somebody waits for an answer.
    this.#running++;
    client.stream?.ref?.();
    try {
      return await command(client);
    } catch (error) {
      throw reasonOf(client, error);
    } finally {
      if (--this.#running === 0) client.stream?.unref?.();
    }
  }

  close(): void {
    this.#client?.disconnect();
    this.#client = undefined;
  }
}
