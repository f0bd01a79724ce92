import type { SharedState } from './shared-state.ts';

interface Entry {
  readonly fields: Map<string, string>;
  /** Milliseconds. */
  expires: number;
}

/** Values and records. When there are more, the one that would be forgotten next goes. */
const MAX_ENTRIES = 10_000;

/** The field of a plain value. */
const VALUE = '';

/** What processes share through another one, in whose memory it is. It never fails, and is gone with that process. */
export function createMemoryState(now: () => number = Date.now): SharedState {
  const entries = new Map<string, Entry>();
  const listeners = new Map<string, Set<(message: string) => void>>();

  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry && entry.expires > now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const write = (key: string, fields: Iterable<readonly [string, string]>, ttl: number) => {
    if (!entries.has(key) && entries.size >= MAX_ENTRIES) makeRoom();
    entries.set(key, { fields: new Map(fields), expires: now() + ttl });
  };
  const makeRoom = () => {
    let next: readonly [string, Entry] | undefined;
    for (const one of entries) if (!next || one[1].expires < next[1].expires) next = one;
    if (next) entries.delete(next[0]);
  };

  return {
    async add(key, value, ttl) {
      const found = find(key)?.fields.get(VALUE) ?? value;
      write(key, [[VALUE, found]], ttl);
      return found;
    },
    async create(key, fields, ttl) {
      write(key, Object.entries(fields), ttl);
    },
    async read(key) {
      return Object.fromEntries(find(key)?.fields ?? []);
    },
    async keep(key, ttl, names, claims = {}) {
      const entry = find(key);
      if (!entry) return undefined;
      entry.expires = now() + ttl;
      for (const [name, value] of Object.entries(claims)) if (!entry.fields.get(name)) entry.fields.set(name, value);
      return names.map((name) => entry.fields.get(name));
    },
    async put(key, name, value, max) {
      const entry = find(key);
      if (!entry || (!entry.fields.has(name) && entry.fields.size >= max)) return false;
      entry.fields.set(name, value);
      return true;
    },
    async remove(key, name) {
      find(key)?.fields.delete(name);
    },
    async delete(key) {
      entries.delete(key);
    },
    async publish(channel, message) {
      for (const listener of listeners.get(channel) ?? []) listener(message);
    },
    async subscribe(channel, listener) {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0) listeners.delete(channel);
      };
    },
    listening: async () => {},
    close: () => {},
  };
}
