import { safely } from './safely.ts';

/** What can change in an app while it is served. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

/** Notifies listeners, such as the clients of an MCP server, that the app has changed. */
export interface Changes {
  /** The list of tools, prompts or resources has changed. */
  listChanged(kind: 'tools' | 'prompts' | 'resources'): void;
  /** The content of a resource has changed. */
  resourceUpdated(uri: string): void;
  /** Adds a listener. Returns a function that removes it. It is notified of changes in other processes once connected. */
  listen(listener: (change: Change) => void): () => void;
  /** Connects to the other processes of the app, if it has a store. Rejects with a Failure if it cannot be reached. */
  connected(): Promise<void>;
}

/** Takes changes to the other processes of the app, and brings theirs. */
export interface ChangeRelay {
  readonly isOn: boolean;
  send(change: Change): void;
  /** Resolves when changes in other processes arrive. */
  receive(listener: (change: Change) => void): Promise<void>;
}

/** If a listener throws, `onFailure` gets the error, and the other listeners are still called. */
export function createChanges(onFailure: (thrown: unknown) => void, relay?: ChangeRelay): Changes {
  const listeners = new Set<(change: Change) => void>();
  const notify = (change: Change) => {
    for (const listener of listeners) safely(() => listener(change), onFailure);
  };
  const announce = (change: Change) => {
    notify(change);
    if (relay?.isOn) relay.send(change);
  };
  return {
    listChanged: (kind) => announce({ kind }),
    resourceUpdated: (uri) => announce({ kind: 'resource', uri }),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connected: async () => {
      if (relay?.isOn) await relay.receive(notify);
    },
  };
}
