/** Calls each listener on its own, so that one that throws disturbs neither the others nor the connection that reported it. */
export function notify(listeners: Iterable<(id: string) => void>, id: string): void {
  for (const listener of listeners) queueMicrotask(() => listener(id));
}
