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
  /** Adds a listener. Returns a function that removes it. */
  listen(listener: (change: Change) => void): () => void;
}

/** If a listener throws, `onFailure` gets the error, and the other listeners are still called. */
export function createChanges(onFailure: (thrown: unknown) => void): Changes {
  const listeners = new Set<(change: Change) => void>();
  const notify = (change: Change) => {
    for (const listener of listeners) safely(() => listener(change), onFailure);
  };
  return {
    listChanged: (kind) => notify({ kind }),
    resourceUpdated: (uri) => notify({ kind: 'resource', uri }),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
