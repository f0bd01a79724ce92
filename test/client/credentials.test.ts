import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createClient } from 'everywire/client';
import type { ClientOptions } from 'everywire/client';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../access/issuer.ts';
import type { Server } from '../access/issuer.ts';
import { proves } from '../promises.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const open: Server[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((server) => server[Symbol.asyncDispose]()))));

/** A server that records its requests. */
async function listener(answer: RequestListener) {
  const seen: Seen[] = [];
  const server = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ method: request.method!, path: request.url!, headers: request.headers, body });
    answer(request, response);
  });
  open.push(server);
  return { url: server.url, seen };
}

const say =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
const redirect =
  (status: number, to: (path: string) => string): RequestListener =>
  ({ url = '' }, response) =>
    void response.writeHead(status, { location: to(url) }).end();

const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
const documentOf = (path: string, server = '') => ({
  ...(server && { servers: [{ url: server }] }),
  paths: { [path]: { post: { operationId: 'F', requestBody } } },
});

const SECRETS: ClientOptions = { headers: { Authorization: 'Bearer t', 'X-Api-Key': 'k', Cookie: 'sid=1' } };
const WORDS = ['Bearer t', '"k"', 'sid=1', 'confidential'];

function leaks(seen: readonly Seen[]): readonly string[] {
  const text = JSON.stringify(seen);
  return WORDS.filter((word) => text.includes(word));
}

describe('along redirects', () => {
  const cases = [301, 302, 303, 307, 308].flatMap((status) =>
    ['', '/openapi.json', '/mcp'].map((path) => [status, path] as const),
  );
  it.each(cases)(proves('client.failures', 'no credentials are leaked (%i, %s)'), async (status, path) => {
    const thief = await listener(say({ result: 'stolen' }));
    const leave = redirect(status, () => `${thief.url}/stolen`);
    const document = say(documentOf('/f'));
    const home = await listener((request, response) =>
      (request.url === '/openapi.json' && path === '/openapi.json' ? document : leave)(request, response),
    );
    const client = createClient(home.url + path, SECRETS);
    const outcome = await client.call('F', { word: 'confidential' });
    await client.close();
    expect(outcome.ok).toBe(false);
    expect(home.seen.length).toBeGreaterThan(0);
    expect(leaks(thief.seen)).toEqual([]);
  });

  it(proves('client.failures', 'the failure names the target'), async () => {
    const thief = await listener(say({ result: 'stolen' }));
    const home = await listener(redirect(307, () => `${thief.url}/stolen?x`));
    const message = `The server redirects to ${thief.url}; use the final address instead`;
    const error = { code: 'UNAVAILABLE', message, retry: false };
    expect(await createClient(home.url).call('F')).toMatchObject({ ok: false, error });
  });

  it(proves('client.http', 'within an origin they are followed, with headers and body'), async () => {
    const there = say({ status: 'SUCCESS', data: 'there' });
    const on = redirect(308, (path) => `/new${path}`);
    const home = await listener((request, response) =>
      (request.url!.startsWith('/new/') ? there : on)(request, response),
    );
    expect(await createClient(home.url, SECRETS).call('F', { a: 1 })).toEqual({ ok: true, data: 'there' });
    expect(home.seen.find(({ path }) => path === '/new/functions/F')).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer t', 'x-api-key': 'k' },
    });
  });

  it(proves('client.http', 'to an allowed origin they are followed, with headers and body'), async () => {
    const other = await listener(say({ status: 'SUCCESS', data: 'there' }));
    const home = await listener(redirect(307, (path) => other.url + path));
    const client = createClient(home.url, { ...SECRETS, allowOrigins: [`${other.url}/any/path`] });
    expect(await client.call('F')).toEqual({ ok: true, data: 'there' });
    expect(leaks(other.seen)).toEqual(['Bearer t', '"k"', 'sid=1']);
  });

  it(proves('client.failures', 'a redirect loop ends'), async () => {
    const home = await listener(redirect(307, () => '/x'));
    expect(await createClient(home.url).call('F')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    expect(home.seen.length).toBeLessThan(50);
  });
});

describe('to another server that a document names', () => {
  it(proves('client.openapi', 'calls are sent without the headers, unless it is allowed'), async () => {
    const api = await listener(say('ok'));
    const docs = await listener(say(documentOf('/f', `${api.url}/api`)));
    const address = `${docs.url}/openapi.json`;
    expect(await createClient(address, SECRETS).call('F', { a: 1 })).toEqual({ ok: true, data: 'ok' });
    expect(api.seen).toMatchObject([{ method: 'POST', path: '/api/f', body: '{"a":1}' }]);
    expect(api.seen[0]?.headers['content-type']).toBe('application/json');
    expect(leaks(api.seen)).toEqual([]);
    await createClient(address, { ...SECRETS, allowOrigins: [api.url] }).call('F', { a: 1 });
    expect(api.seen[1]?.headers).toMatchObject({ authorization: 'Bearer t', 'x-api-key': 'k' });
  });

  it(proves('client.openapi', 'a document on another origin is requested without the headers'), async () => {
    const store = await listener(say(documentOf('/api/f')));
    const moved = redirect(302, () => `${store.url}/d.json`);
    const home = await listener((request, response) =>
      (request.url === '/openapi.json' ? moved : say('ok'))(request, response),
    );
    expect(await createClient(`${home.url}/openapi.json`, SECRETS).call('F')).toEqual({ ok: true, data: 'ok' });
    expect(store.seen).toHaveLength(1);
    expect(leaks(store.seen)).toEqual([]);
    expect(leaks(home.seen)).not.toEqual([]);
  });
});
