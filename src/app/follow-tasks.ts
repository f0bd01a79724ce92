import { News } from '../tasks/news.ts';
import type { App } from './app.ts';
import { findTask } from './find-task.ts';
import type { FoundTask, TaskCaller } from './find-task.ts';

/** All tasks are read at least this often, in milliseconds: a notification may be lost with its connection. */
const PATIENCE = 10_000;

/**
 * Several tasks of a caller: each of them now, and again whenever it has changed, until it has ended or is forgotten. They are
 * read one at a time, and only when the caller is ready for more, who then gets the newest state.
 */
export async function* followTasks(
  app: App,
  caller: TaskCaller,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FoundTask, void> {
  const news = new News();
  const open = new Map<string, Followed>(ids.map((id) => [id, { version: -1, forget: undefined }]));
  const changed = new Set(ids);
  let readAt = Date.now();
  try {
    while (open.size > 0 && !signal.aborted) {
      for (const id of changed) {
        changed.delete(id);
        const followed = open.get(id);
        if (!followed) continue;
        followed.forget ??= await listen(id);
        const found = await findTask(app, caller, id);
        if (signal.aborted) return;
        const isGone = 'ok' in found && found.error.code === 'TASK_NOT_FOUND';
        if (isGone || ('task' in found && found.outcome)) end(id);
        // While tasks cannot be read, there is nothing to report; that has been logged.
        if ('ok' in found || found.version === followed.version) continue;
        followed.version = found.version;
        yield found;
      }
      if (open.size > 0) await news.wait(signal, Math.max(0, readAt + PATIENCE - Date.now()));
      if (Date.now() - readAt < PATIENCE) continue;
      readAt = Date.now();
      for (const id of open.keys()) changed.add(id);
    }
  } finally {
    for (const id of open.keys()) end(id);
  }

  /** Undefined if the store cannot be reached: then the next time that all are read. */
  async function listen(id: string): Promise<(() => void) | undefined> {
    const tell = () => {
      changed.add(id);
      news.tell();
    };
    return app.tasks.listen(id, tell).catch(() => undefined);
  }

  function end(id: string): void {
    open.get(id)?.forget?.();
    open.delete(id);
  }
}

interface Followed {
  version: number;
  forget: (() => void) | undefined;
}
