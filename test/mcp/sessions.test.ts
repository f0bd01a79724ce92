import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, defineResource, type App, type AppOptions } from 'everywire';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fn, integer, object, string } from '../kit/functions.ts';
import { startHost, stopHosts } from '../kit/host-app.ts';
import { throwing } from '../kit/parts.ts';
import { raw, requestText } from '../kit/raw.ts';
import { proves } from '../promises.ts';
import { INITIALIZE, begin, legacy, listen, messagesIn, modern, only, post, tool } from './mcp-post.ts';

afterEach(stopHosts);

/** How often Slow tells how far it is. */
const steps = { ...integer, default: 0 };
/** How many calls of Slow run. */
let running = 0;

const logged: { message: string; fields: Record<string, unknown> }[] = [];

function appOf(options: Partial<AppOptions> = {}) {
  logged.length = 0;
  const log = (message: string, fields: object = {}) => void logged.push({ message, fields: { ...fields } });
  return createApp({
    name: 'Sessions',
    version: '1',
    secret: 'a secret that all processes share',
    functions: [
      fn('Slow', { input: object({ ms: integer, steps }, ['ms']), output: string }, async (input, context) => {
        for (let i = 0; i < input.steps; i++) context.progress(i + 1, input.steps);
        running++;
        return sleep(input.ms, 'slow', { signal: context.signal }).finally(() => running--);
      }),
    ],
    resources: [defineResource({ uri: 'r://{id}', name: 'r', description: 'd', read: () => 'x' })],
    log: { debug: log, info: log, warn: log, error: log },
    ...options,
  });
}

async function start(options: Partial<AppOptions> = {}): Promise<{ app: ReturnType<typeof appOf>; url: string }> {
  const app = appOf(options);
  const { url } = await startHost(app as App);
  return { app, url };
}

const slow = (ms: number, given: object = {}, more: object = {}) => tool('Slow', { ms, ...given }, more);
const ping = async (url: string, session: string) =>
  (await legacy(url, { method: 'ping', id: 'ping' }, session)).status;

describe('a session in use', () => {
  const limits = { sessionIdle: 100 }; // checked once a second

  it.each([
    ['', {}],
    [', and one that tells of its progress', { _meta: { progressToken: 1 } }],
  ])(proves('mcp.in-use', 'is not swept while a call runs%s'), async (_title, meta) => {
    const { url } = await start({ limits });
    const session = await begin(url);
    const response = await legacy(url, slow(2500, { steps: 2 }, meta), session);
    expect((await messagesIn(response)).at(-1)).toMatchObject({ result: { structuredContent: { result: 'slow' } } });
  });

  it(proves('mcp.in-use', 'is not swept while a client listens, and is swept after it has disconnected'), async () => {
    const { app, url } = await start({ limits });
    const session = await begin(url);
    const subscribed = await only(legacy(url, { method: 'resources/subscribe', params: { uri: 'r://1' } }, session));
    expect(subscribed).toMatchObject({ result: {} });
    const leaving = new AbortController();
    const stream = await listen(url, session, leaving.signal);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    await sleep(2500);
    app.changes.resourceUpdated('r://1');
    expect((await reader.read()).value).toContain('notifications/resources/updated');
    expect(await ping(url, session)).toBe(200);
    leaving.abort();
    await sleep(2500);
    expect(await ping(url, session)).toBe(404);
  });

  it(proves('mcp.in-use', 'is not evicted: the longest idle session is, and then new ones are refused'), async () => {
    const { url } = await start({ limits: { sessions: 2 } });
    const [answers, idle] = [await begin(url), await begin(url)];
    const call = legacy(url, slow(1500), answers);
    await sleep(200);
    const listens = await begin(url);
    expect(await ping(url, idle)).toBe(404);
    const stream = await listen(url, listens);
    const refused = await post(url, INITIALIZE);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('mcp-session-id')]).toEqual([
      503,
      '1',
      null,
    ]);
    expect(await refused.json()).toMatchObject({ id: 0, error: { data: { code: 'UNAVAILABLE' } } });
    expect((await messagesIn(await call))[0]).toMatchObject({ result: { structuredContent: { result: 'slow' } } });
    await begin(url); // replaces the session whose call has ended
    expect([await ping(url, listens), await ping(url, answers)]).toEqual([200, 404]);
    await stream.body?.cancel();
  });

  it(proves('mcp.in-use', 'is not in use once its call is cancelled or its client is gone'), async () => {
    const { url } = await start({ limits });
    const [cancels, leaves] = [await begin(url), await begin(url)];
    const call = legacy(url, { ...slow(20_000), id: 7 }, cancels);
    const leaving = new AbortController();
    const left = legacy(url, slow(20_000), leaves, leaving.signal).catch(() => 'left');
    await sleep(200);
    leaving.abort();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await post(url, cancel, { 'mcp-session-id': cancels })).status).toBe(202);
    expect([await messagesIn(await call), await left]).toEqual([[], 'left']); // a cancelled call gets no response
    await sleep(2500);
    expect([await ping(url, cancels), await ping(url, leaves)]).toEqual([404, 404]);
  });
});

describe('equal ids at once', () => {
  const result = async (response: Response) => (await only(response)).result?.structuredContent;

  it(proves('mcp.answers', 'all but one are refused; it gets its own response, and then the id is free'), async () => {
    const app = appOf();
    const session = await begin(app);
    const responses = await Promise.all(Array.from({ length: 20 }, () => legacy(app, slow(1000), session)));
    const replies = await Promise.all(responses.map(messagesIn));
    expect(replies.filter(([{ result: done }]) => done)).toHaveLength(1);
    const refused = replies.flatMap(([reply]) => reply.error ?? []);
    expect(refused).toHaveLength(19);
    for (const { code, message } of refused)
      expect([code, message]).toEqual([-32600, expect.stringContaining('pending')]);
    expect(await result(await legacy(app, slow(0), session))).toEqual({ result: 'slow' });
  });

  it.each([
    ['two requests of one id', { id: 1, ...slow(0) }],
    ['a request and its cancellation', { method: 'notifications/cancelled', params: { requestId: 1 } }],
  ])(proves('mcp.answers', 'a batch of %s is refused as a whole'), async (_what, second) => {
    const response = await post(
      appOf(),
      [{ id: 1, ...slow(0) }, second].map((one) => ({ jsonrpc: '2.0', ...one })),
    );
    expect(response.status).toBe(400);
    expect((await only(response)).error).toMatchObject({ code: -32600 });
  });
});

describe('refused:', () => {
  it(proves('mcp.sessions', 'a handshake, which leaves nothing behind'), async () => {
    const app = appOf();
    let listening = 0;
    const { listen: real } = app.changes;
    vi.spyOn(app.changes, 'listen').mockImplementation((listener) => {
      const forget = real(listener);
      listening++;
      return () => {
        listening--;
        forget();
      };
    });
    await begin(app);
    expect(listening).toBe(2); // the wire's and the session's
    for (const [headers, body, status] of [
      [{ accept: 'application/json' }, INITIALIZE, 406],
      [{ accept: 'text/event-stream' }, INITIALIZE, 406],
      [{ 'content-type': 'text/plain' }, INITIALIZE, 415],
      [{}, { ...INITIALIZE, id: [] }, 400],
      [{}, { ...INITIALIZE, jsonrpc: '1.0' }, 400],
      [{}, [INITIALIZE, INITIALIZE], 400],
    ] as const) {
      const response = await post(app, body, headers);
      expect([response.status, response.headers.get('mcp-session-id')]).toEqual([status, null]);
      await response.text();
    }
    expect(listening).toBe(2);
  });

  it(proves('mcp.safe', 'unknown HTTP methods, with and without a session'), async () => {
    const { url } = await start();
    const session = await begin(url);
    for (const method of ['TRACE', 'PUT', 'PATCH', 'HEAD', 'PROPFIND', 'M-SEARCH'])
      for (const header of [[`Mcp-Session-Id: ${session}`], ['Mcp-Session-Id: none'], []]) {
        const headers = ['Host: localhost', ...header, 'Connection: close'];
        const reply = await raw(url, requestText(`${method} /mcp`, headers));
        expect(reply, method).toMatch(/^HTTP\/1\.1 405 /);
        expect(reply).toMatch(header.length > 0 ? /\r\nallow: GET, POST, DELETE\r\n/i : /\r\nallow: POST\r\n/i);
      }
    expect(await ping(url, session)).toBe(200);
  });

  it(proves('mcp.sessions', 'a subscription that is unknown, too long, or one too many'), async () => {
    const app = appOf({ limits: { subscriptions: 3 } });
    const session = await begin(app);
    const subscribe = (uri: string) => only(legacy(app, { method: 'resources/subscribe', params: { uri } }, session));
    expect((await subscribe('other://1')).error).toMatchObject({ message: expect.stringContaining('other://1') });
    expect((await subscribe(`r://${'x'.repeat(900_000)}`)).error).toMatchObject({ code: -32602 });
    for (const id of [1, 2, 3, 3]) expect((await subscribe(`r://${id}`)).result).toEqual({});
    expect((await subscribe('r://4')).error).toMatchObject({ data: { code: 'UNAVAILABLE' } });
    await legacy(app, { method: 'resources/unsubscribe', params: { uri: 'r://3' } }, session);
    expect((await subscribe('r://4')).result).toEqual({});
  });

  it(proves('mcp.sessions', 'the same for subscriptions/listen in 2026-07-28'), async () => {
    const { app, url } = await start({ limits: { subscriptions: 3 } });
    const wants = (...resourceSubscriptions: string[]) =>
      modern(url, { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions } } });
    const refused = async (...uris: string[]) => (await only(wants(...uris))).error;
    expect(await refused('r://1', 'other://1')).toMatchObject({ message: expect.stringContaining('other://1') });
    expect(await refused(`r://${'x'.repeat(3000)}`)).toMatchObject({ code: -32602 });
    expect(await refused('r://1', 'r://2', 'r://3', 'r://4')).toMatchObject({ data: { code: 'UNAVAILABLE' } });
    const stream = await wants('r://1', 'r://2');
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('acknowledged');
    app.changes.resourceUpdated('r://2');
    expect((await reader.read()).value).toContain('"uri":"r://2"');
    await reader.cancel();
  });
});

describe('a fault of our own', () => {
  it(proves('mcp.safe', 'is logged with its stack, gets a response, and the next request works'), async () => {
    const app = appOf({ errors: 'masked' });
    vi.spyOn(app.changes, 'listen').mockImplementationOnce(throwing(new Error('broken at /srv/secret/x.ts')));
    const response = await modern(app, { method: 'prompts/list' });
    expect([response.status, response.headers.get('everywire-error-code')]).toEqual([500, 'INTERNAL_ERROR']);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error).toMatchObject({ code: -32603, data: { code: 'INTERNAL_ERROR' } });
    expect(error.message).toContain(`(error id ${String(logged[0]?.fields['errorId'])})`);
    expect(logged).toMatchObject([{ fields: { stack: expect.stringContaining('sessions.test') } }]);
    expect((await modern(app, { method: 'prompts/list' })).status).toBe(200);
  });

  it(proves('mcp.safe', 'is not shown to the client if it happens inside the SDK'), async () => {
    const app = appOf({ errors: 'masked' });
    vi.spyOn(app.resources, 'locate').mockImplementation(throwing(new Error('broken at /srv/secret/x.ts')));
    const read = { method: 'resources/read', params: { uri: 'r://1' } };
    const params = { notifications: { resourceSubscriptions: ['r://1'] } };
    const listening = modern(app, { method: 'subscriptions/listen', params });
    for (const response of [modern(app, read), legacy(app, read), listening]) {
      const { error } = await only(response);
      expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/^Something went wrong/) });
    }
    expect(logged).toHaveLength(3);
  });
});
