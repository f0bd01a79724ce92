import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
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

const say = (response: ServerResponse, body: unknown) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

const SECRETS: ClientOptions = { headers: { Authorization: 'Bearer t', 'X-Api-Key': 'k', Cookie: 'sid=1' } };
const WORDS = ['Bearer t', '"k"', 'sid=1', 'confidential'];

function leaks(seen: readonly Seen[]): readonly string[] {
  const text = JSON.stringify(seen);
  return WORDS.filter((word) => text.includes(word));
}

describe('along redirects', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const path of ['', '/openapi.json', '/mcp']) {
      it(proves('client.failures', `no credentials are leaked (${status}, ${path || 'HTTP'})`), async () => {
        const thief = await listener((_request, response) => say(response, { result: 'stolen' }));
        const home = await listener((request, response) => {
          if (request.url === '/openapi.json' && path === '/openapi.json') {
            const operation = {
              operationId: 'F',
              requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
            };
            say(response, { paths: { '/f': { post: operation } } });
          } else response.writeHead(status, { location: `${thief.url}/stolen` }).end();
        });
        const client = createClient(home.url + path, SECRETS);
        const outcome = await client.call('F', { word: 'confidential' });
        await client.close();
        expect(outcome.ok).toBe(false);
        expect(home.seen.length).toBeGreaterThan(0);
        expect(leaks(thief.seen)).toEqual([]);
      });
    }
  }

  it(proves('client.failures', 'the failure names the target'), async () => {
    const thief = await listener((_request, response) => say(response, { result: 'stolen' }));
    const home = await listener(
      (_request, response) => void response.writeHead(307, { location: `${thief.url}/stolen?x` }).end(),
    );
    expect(await createClient(home.url).call('F')).toMatchObject({
      ok: false,
      error: {
        code: 'UNAVAILABLE',
        message: `The server redirects to ${thief.url}; use the final address instead`,
        retry: false,
      },
    });
  });

  it(proves('client.http', 'within an origin they are followed, with headers and body'), async () => {
    const home = await listener((request, response) =>
      request.url!.startsWith('/new/')
        ? say(response, { status: 'SUCCESS', data: 'there' })
        : void response.writeHead(308, { location: `/new${request.url}` }).end(),
    );
    expect(await createClient(home.url, SECRETS).call('F', { a: 1 })).toEqual({ ok: true, data: 'there' });
    expect(home.seen.find(({ path }) => path === '/new/functions/F')).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer t', 'x-api-key': 'k' },
    });
  });

  it(proves('client.http', 'to an allowed origin they are followed, with headers and body'), async () => {
    const other = await listener((_request, response) => say(response, { status: 'SUCCESS', data: 'there' }));
    const home = await listener(
      (request, response) => void response.writeHead(307, { location: other.url + request.url! }).end(),
    );
    const client = createClient(home.url, { ...SECRETS, allowOrigins: [`${other.url}/any/path`] });
    expect(await client.call('F')).toEqual({ ok: true, data: 'there' });
    expect(leaks(other.seen)).toEqual(['Bearer t', '"k"', 'sid=1']);
  });

  it(proves('client.failures', 'a redirect loop ends'), async () => {
    const home = await listener((_request, response) => void response.writeHead(307, { location: '/x' }).end());
    expect(await createClient(home.url).call('F')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
    expect(home.seen.length).toBeLessThan(50);
  });
});

describe('to another server that a document names', () => {
  const document = (server: string) => ({
    servers: [{ url: `${server}/api` }],
    paths: {
      '/f': {
        post: {
          operationId: 'F',
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    },
  });

  it(proves('client.openapi', 'calls are sent without the headers, unless it is allowed'), async () => {
    const api = await listener((_request, response) => say(response, 'ok'));
    const docs = await listener((_request, response) => say(response, document(api.url)));
    const address = `${docs.url}/openapi.json`;
    expect(await createClient(address, SECRETS).call('F', { a: 1 })).toEqual({ ok: true, data: 'ok' });
    expect(api.seen).toMatchObject([{ method: 'POST', path: '/api/f', body: '{"a":1}' }]);
    expect(api.seen[0]?.headers['content-type']).toBe('application/json');
    expect(leaks(api.seen)).toEqual([]);
    await createClient(address, { ...SECRETS, allowOrigins: [api.url] }).call('F', { a: 1 });
    expect(api.seen[1]?.headers).toMatchObject({ authorization: 'Bearer t', 'x-api-key': 'k' });
  });

  it(proves('client.openapi', 'a document on another origin is requested without the headers'), async () => {
    const store = await listener((_request, response) => say(response, document('')));
    const home = await listener((request, response) =>
      request.url === '/openapi.json'
        ? void response.writeHead(302, { location: `${store.url}/d.json` }).end()
        : say(response, 'ok'),
    );
    expect(await createClient(`${home.url}/openapi.json`, SECRETS).call('F')).toEqual({ ok: true, data: 'ok' });
    expect(store.seen).toHaveLength(1);
    expect(leaks(store.seen)).toEqual([]);
    expect(leaks(home.seen)).not.toEqual([]);
  });
});
