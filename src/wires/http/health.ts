import type { App } from '../../app/app.ts';
import type { HttpReply } from './message.ts';

/** `GET /healthz`: the process runs. */
export const health = (): HttpReply => status(200, 'ok');

/** `GET /readyz`: the server takes new calls, and the stores of its apps can be reached. */
export function readiness(isReady: boolean, apps: readonly App[]): HttpReply | Promise<HttpReply> {
  if (!isReady) return status(503, 'stopping');
  const stored = apps.filter(({ tasks, store }) => tasks.isUsed && store.url !== undefined);
  if (stored.length === 0) return status(200, 'ready');
  return Promise.all(stored.map(isReachable)).then((all) =>
    all.every(Boolean) ? status(200, 'ready') : status(503, 'store unreachable'),
  );
}

/** A store answers within two seconds; opening it may take longer, if it is not there. */
const PATIENCE = 2500;

async function isReachable({ tasks }: App): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), PATIENCE)));
  // Who opens it has reported the error.
  const isReached = await Promise.race([tasks.isReachable().catch(() => false), late]);
  clearTimeout(timer);
  return isReached;
}

function status(code: number, text: string): HttpReply {
  return {
    status: code,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ status: text }),
  };
}
