import type { Report } from './report.ts';
import { isThenable } from './foreign.ts';

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

export function createChanges(report: Report): Changes {
  const listeners = new Set<(change: Change) => void>();
  const failed = (thrown: unknown) => void report.thrown(thrown, { part: 'changes' });
  /** Listeners cannot stop each other, nor fail the code that reports the change. */
  const tell = (change: Change) => {
    for (const listener of listeners) {
      try {
        const returned: unknown = listener(change);
        if (isThenable(returned)) returned.then(undefined, failed);
      } catch (thrown) {
        failed(thrown);
      }
    }
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
