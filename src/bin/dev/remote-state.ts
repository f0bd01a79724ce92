import type { SharedState } from '../../share/shared-state.ts';
import type { DevOrder, DevReport, StateMethod } from './messages.ts';

/** The shared state of all versions, which is in the memory of the process that the user started. */
export interface RemoteState extends SharedState {
  receive(order: DevOrder): void;
}

/** Requests are never lost: if the other process is gone, this one ends, too. */
export function createRemoteState(send: (report: DevReport) => void): RemoteState {
  const waiting = new Map<number, (value: unknown) => void>();
  const listeners = new Map<string, Set<(message: string) => void>>();
  let lastId = 0;
  const ask = <T>(method: StateMethod, ...given: readonly unknown[]) =>
    new Promise<T>((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve as (value: unknown) => void);
      send({ everywire: 'state', id, method, given });
    });
  return {
    receive(order) {
      if (order.everywire === 'published')
        for (const listener of listeners.get(order.channel) ?? []) listener(order.message);
      if (order.everywire !== 'state-answer') return;
      waiting.get(order.id)?.(order.value);
      waiting.delete(order.id);
    },
    add: (...given) => ask('add', ...given),
    create: (...given) => ask('create', ...given),
    read: (...given) => ask('read', ...given),
    keep: async (...given) => {
      // JSON has no undefined.
      const values = await ask<(string | null)[] | null | undefined>('keep', ...given);
      return values?.map((value) => value ?? undefined);
    },
    put: (...given) => ask('put', ...given),
    remove: (...given) => ask('remove', ...given),
    delete: (...given) => ask('delete', ...given),
    publish: (...given) => ask('publish', ...given),
    async subscribe(channel, listener) {
      const known = listeners.get(channel);
      if (known) known.add(listener);
      else {
        listeners.set(channel, new Set([listener]));
        await ask('subscribe', channel);
      }
      return () => void listeners.get(channel)?.delete(listener);
    },
    listening: async () => {},
    close: () => {},
  };
}

/** Answers the requests of a process for as long as it lives. */
export class StateServer {
  readonly #forget: (() => void)[] = [];

  constructor(
    private readonly state: SharedState,
    private readonly send: (order: DevOrder) => void,
  ) {}

  async answer({ id, method, given }: DevReport & { readonly everywire: 'state' }): Promise<void> {
    const value = method === 'subscribe' ? await this.#subscribe(given[0] as string) : await this.#call(method, given);
    this.send({ everywire: 'state-answer', id, value });
  }

  close(): void {
    for (const forget of this.#forget) forget();
  }

  #call(method: StateMethod, given: readonly unknown[]): Promise<unknown> {
    return (this.state[method] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
  }

  async #subscribe(channel: string): Promise<void> {
    const onMessage = (message: string) => this.send({ everywire: 'published', channel, message });
    this.#forget.push(await this.state.subscribe(channel, onMessage));
  }
}
