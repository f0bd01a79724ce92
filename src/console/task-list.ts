import { signal } from '@preact/signals';

/** Tasks that this page has seen; the newest first. */
export const taskIds = signal<readonly string[]>([]);

const MOST = 100;

export function rememberTask(id: string | undefined): void {
  if (id === undefined || taskIds.peek().includes(id)) return;
  taskIds.value = [id, ...taskIds.peek()].slice(0, MOST);
}
