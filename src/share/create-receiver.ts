import type { SharedState } from './shared-state.ts';

/** A message between processes. */
export interface SharedMessage {
  /** The process that sent it. */
  readonly from: string;
}

export interface Receiver {
  /** Subscribes, if that is not done. Resolves if messages arrive at the moment. */
  ready(): Promise<void>;
  close(): void;
}

interface ReceiverOptions<M> {
  readonly state: () => Promise<SharedState>;
  /** This process: its own messages are dropped. */
  readonly process: string;
  readonly channels: readonly string[];
  readonly onMessage: (message: M) => void;
  /** Messages may have been lost. */
  readonly onMissed?: (() => void) | undefined;
}

export function createReceiver<M extends SharedMessage>(options: ReceiverOptions<M>): Receiver {
  let subscribed: { readonly state: SharedState; readonly done: Promise<(() => void)[]> } | undefined;
  return {
    async ready() {
      const state = await options.state();
      // The app may have been closed, and started again.
      if (subscribed?.state !== state) subscribed = { state, done: subscribe(state) };
      try {
        await subscribed.done;
      } catch (thrown) {
        if (subscribed?.state === state) subscribed = undefined; // the next one tries again
        throw thrown;
      }
      await state.listening();
    },
    close() {
      subscribed?.done.then(
        (forgets) => forgets.forEach((forget) => forget()),
        () => {},
      );
      subscribed = undefined;
    },
  };

  function subscribe(state: SharedState): Promise<(() => void)[]> {
    const onMessage = (text: string) => {
      const message = JSON.parse(text) as M;
      if (message.from !== options.process) options.onMessage(message);
    };
    return Promise.all(options.channels.map((channel) => state.subscribe(channel, onMessage, options.onMissed)));
  }
}
