import type { Redis } from 'ioredis';
import { FrameworkError } from '../core/failure.ts';
import { loadRedis, RedisLink } from '../redis/connections.ts';
import { SCRIPTS } from './record-scripts.ts';
import type { RecordScripts } from './record-scripts.ts';
import { RedisSubscriber } from './redis-subscriber.ts';
import type { SharedState } from './shared-state.ts';

const load = () => loadRedis('Sharing sessions in Redis');

/** Shares in Redis, with all processes of the app. `onFailure` gets the reason of every failure, for the log. */
export function createRedisState(url: string, app: string, onFailure: (thrown: unknown) => void): SharedState {
  /** In braces: Redis Cluster then keeps all keys of the app in one place. */
  const name = (key: string) => `everywire:{${app}}:${key}`;
  const subscriber = new RedisSubscriber(load, url, onFailure);
  const link = new RedisLink(load, url, { scripts: SCRIPTS }, () => subscriber.renew());
  const run = <T>(command: (client: Redis & RecordScripts) => Promise<T>) =>
    link.run((client) => command(client as Redis & RecordScripts)).catch(unavailable);

  return {
    add: (key, value, ttl) => run((client) => client.addValue(name(key), value, ttl)),
    create: async (key, fields, ttl) => {
      await run((client) => client.createRecord(name(key), ttl, ...Object.entries(fields).flat()));
    },
    read: (key) => run((client) => client.hgetall(name(key))),
    keep: async (key, ttl, names, claims = {}) => {
      const claimed = Object.entries(claims).flat();
      const values = await run((client) => client.keepRecord(name(key), ttl, names.length, ...names, ...claimed));
      return values?.map((value) => value ?? undefined);
    },
    put: async (key, field, value, max) => (await run((client) => client.putField(name(key), field, value, max))) === 1,
    remove: async (key, field) => void (await run((client) => client.hdel(name(key), field))),
    delete: async (key) => void (await run((client) => client.del(name(key)))),
    publish: async (channel, message) => void (await run((client) => client.publish(name(channel), message))),
    subscribe: (channel, listener, onMissed) =>
      subscriber.subscribe({ channel: name(channel), listener, onMissed }).catch(unavailable),
    listening: () => subscriber.listening().catch(unavailable),
    close() {
      link.close();
      subscriber.close();
    },
  };

  function unavailable(thrown: unknown): never {
    onFailure(thrown);
    throw new FrameworkError('UNAVAILABLE', 'What the processes of this app share cannot be reached at the moment', {
      retryAfter: 1,
    });
  }
}
