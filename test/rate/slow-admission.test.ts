import { createApp } from 'everywire';
import { custom } from 'everywire/access';
import { serve } from 'everywire/node';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Credentials } from '../../src/core/credentials.ts';
import { createFetchHost } from '../../src/hosts/fetch.ts';
import { fn, untilCancelled } from '../kit/functions.ts';
import { proves } from '../promises.ts';

// A call may wait before it begins: whoever recognises callers or counts calls may have to ask elsewhere.

/** Longer than a server takes to notice that a client is gone, and not only half closed. */
const WAIT = 1500;

function createSlow() {
  const seen = { begun: 0, cancelled: 0 };
  const work = fn('Work', {}, async (_, context) => {
    seen.begun++;
    await untilCancelled(context);
    seen.cancelled++;
  });
  const slow = custom('slow', async () => {
    await sleep(WAIT);
    return { id: 'somebody' };
  });
  const app = createApp({ name: 'Slow', version: '1.0.0', functions: [work], access: { authenticators: [slow] } });
  // As a wire that decodes credentials.
  const respond: typeof app.respond = (call, profile) =>
    app.respond({ ...call, credentials: new Credentials({ bearer: 'x' }) as never }, profile);
  return { app: Object.freeze({ ...app, respond }), seen };
}

const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

it.each([
  ['over HTTP', undefined],
  ['app.fetch', 499],
])(
  proves('failure.cancelled', 'a client that disconnects before a call begins cancels it: %s'),
  async (_way, status) => {
    const { app, seen } = createSlow();
    const server = status === undefined ? await serve(app, { port: 0 }) : undefined;
    const leaving = new AbortController();
    const sent = new Request(`${server?.url ?? 'http://x'}/functions/Work`, { ...request, signal: leaving.signal });
    const answer = server ? fetch(sent).catch(() => undefined) : createFetchHost(app as never).handle(sent);
    await sleep(WAIT / 10);
    leaving.abort();
    expect((await answer)?.status).toBe(status);
    await expect.poll(() => seen, { timeout: 5000 }).toEqual({ begun: 1, cancelled: 1 });
    await server?.drain();
  },
);
