import type { HttpReply } from './message.ts';

/** `GET /healthz`: the process runs. */
export const health = (): HttpReply => status(200, 'ok');

/** `GET /readyz`: the server takes new calls. */
export const readiness = (isReady: boolean): HttpReply => (isReady ? status(200, 'ready') : status(503, 'stopping'));

function status(code: number, text: string): HttpReply {
  return {
    status: code,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ status: text }),
  };
}
