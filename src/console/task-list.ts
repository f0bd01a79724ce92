import { signal } from '@preact/signals';

export interface ListedTask {
  readonly id: string;
  /** Of the function that it runs. The server says it in the record of the call, and not with the task. */
  readonly operationId: string;
}

/** Tasks that this page has seen; the newest first. */
export const listedTasks = signal<readonly ListedTask[]>([]);

const MAX_TASKS = 100;

export function rememberTask(id: string | undefined, operationId: string): void {
  if (id === undefined || listedTasks.peek().some((one) => one.id === id)) return;
  listedTasks.value = [{ id, operationId }, ...listedTasks.peek()].slice(0, MAX_TASKS);
}
