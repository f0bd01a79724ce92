import { quietly } from './safely.ts';

/** What can change in an app while it is served. */
type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

/** Tells those who listen, such as the clients of an MCP server. */
export interface Changes {
  /** The list of tools, prompts or resources is another now. */
  listChanged(kind: 'tools' | 'prompts' | 'resources'): void;
  /** What a resource holds is another now. */
  resourceUpdated(uri: string): void;
  /** Listens, until the function that it gives is called. */
  listen(listener: (change: Change) => void): () => void;
}

/** `onFailure` hears of listeners that throw: the others are told all the same, and whoever changed something goes on. */
export function createChanges(onFailure: (thrown: unknown) => void): Changes {
  const listeners = new Set<(change: Change) => void>();
  const tell = (change: Change) => {
    for (const listener of listeners) quietly(() => listener(change), onFailure);
  };
  return {
    listChanged: (kind) => tell({ kind }),
    resourceUpdated: (uri) => tell({ kind: 'resource', uri }),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
