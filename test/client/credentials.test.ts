import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createClient, type ClientOptions, type GetCredential } from 'everywire/client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Server } from '../access/issuer.ts';
import { keys } from '../apps/access.ts';
import { sharedServer } from '../kit/broker.ts';
import { command } from '../kit/command.ts';
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
/** Every way to give a credential. */
const GIVEN: readonly ClientOptions[] = [
  SECRETS,
  { credentials: 't' },
  { credentials: { apiKey: 'k' } },
  { credentials: () => 't' },
];
const WORDS = ['Bearer t', '"k"', 'sid=1', 'confidential'];

function leaks(seen: readonly Seen[]): readonly string[] {
  const text = JSON.stringify(seen);
  return WORDS.filter((word) => text.includes(word));
}

describe('along redirects', () => {
  const cases = [301, 302, 303, 307, 308].flatMap((status) =>
    ['', '/openapi.json', '/mcp'].map((path) => [status, path] as const),
  );
  it.each(cases)(proves('client.credentials', 'no other origin gets one (%i, %s)'), async (status, path) => {
    const thief = await listener(say({ result: 'stolen' }));
    const leave = redirect(status, () => `${thief.url}/stolen`);
    const document = say(documentOf('/f'));
    const home = await listener((request, response) =>
      (request.url === '/openapi.json' && path === '/openapi.json' ? document : leave)(request, response),
    );
    for (const given of GIVEN) {
      home.seen.length = 0;
      const client = createClient(home.url + path, given);
      const outcome = await client.call('F', { word: 'confidential' });
      await client.close();
      expect(outcome.ok).toBe(false);
      expect(WORDS.slice(0, 2)).toContain(leaks(home.seen)[0]);
      expect(leaks(thief.seen)).toEqual([]);
    }
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
    for (const given of GIVEN) {
      home.seen.length = 0;
      expect(await createClient(`${home.url}/openapi.json`, given).call('F')).toEqual({ ok: true, data: 'ok' });
      expect(leaks(store.seen)).toEqual([]);
      expect(leaks(home.seen)).not.toEqual([]);
    }
    expect(store.seen).toHaveLength(GIVEN.length);
  });
});

let url: string;
beforeAll(async () => void (url = await sharedServer('test/apps/access.ts')));

const WIRES = ['', '/openapi.json', '/mcp'];

async function using<T>(path: string, options: ClientOptions, work: (client: Client) => Promise<T>): Promise<T> {
  const client = createClient(url + path, options);
  return work(client).finally(() => client.close());
}
type Client = ReturnType<typeof createClient>;

const read = (client: Client) => client.call('functions.Read', { id: '1' });

describe.each(WIRES)('over %s', (path) => {
  it.each([[keys.reader], [{ apiKey: keys.reader }], [() => keys.reader], [async () => ({ apiKey: keys.reader })]])(
    proves('client.credentials', 'a token, a key, and functions'),
    async (credentials) => {
      expect(await using(path, { credentials }, read)).toEqual({ ok: true, data: '1' });
    },
  );

  it(proves('client.credentials', 'a refusal is the same outcome on every wire'), async () => {
    expect(await using(path, {}, read)).toMatchObject({
      error: {
        code: 'UNAUTHENTICATED',
        message: 'Authentication is required',
        details: { scopes: ['read'] },
        retry: false,
      },
    });
    expect(await using(path, { credentials: 'wrong' }, read)).toMatchObject({
      error: { code: 'UNAUTHENTICATED', details: { error: 'invalid_token' } },
    });
    expect(await using(path, { credentials: keys.nobody }, read)).toMatchObject({
      error: { code: 'FORBIDDEN', message: 'This needs the scope read', details: { scopes: ['read'] }, retry: false },
    });
  });

  it(proves('client.credentials', 'after a 401 another one is got, once for all calls'), async () => {
    const asked: Parameters<GetCredential>[] = [];
    const credentials: GetCredential = async (...refused) => {
      asked.push(refused);
      return asked.length === 1 ? 'wrong' : keys.reader;
    };
    const outcomes = await using(path, { credentials }, (client) => Promise.all([1, 2, 3].map(() => read(client))));
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ ok: true, data: '1' })));
    expect(asked).toEqual([[], [{ challenge: expect.stringContaining('error="invalid_token"') as string }]]);
  });

  it(proves('client.credentials', 'a second refusal is the outcome'), async () => {
    let asked = 0;
    const outcome = await using(path, { credentials: () => `wrong${asked++}` }, read);
    expect(outcome).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    expect(asked).toBeLessThan(6); // documents and lists are requests, too
  });

  it(proves('client.credentials', 'a function that throws fails the call, and the next asks it again'), async () => {
    let isDown = true;
    const credentials = () => {
      if (isDown) throw new Error('the vault is closed');
      return keys.reader;
    };
    await using(path, { credentials }, async (client) => {
      expect(await read(client)).toMatchObject({ ok: false });
      isDown = false;
      expect(await read(client)).toEqual({ ok: true, data: '1' });
    });
  });
});

it(proves('client.credentials', 'streams and files are sent with it, also those that are repeated'), async () => {
  const renewing = (): GetCredential => (refused) => (refused ? keys.reader : 'wrong');
  await using('', { credentials: renewing() }, async (client) => {
    const stream = client.stream('Count');
    const chunks: unknown[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks).toEqual([1]);
  });
  const file = new File(['x'.repeat(100_000)], 'a.txt');
  const uploaded = await using('', { credentials: renewing() }, (client) => client.call('Upload', { file }));
  expect(uploaded).toEqual({ ok: true, data: 100_000 });
  const downloaded = await using('', { credentials: renewing() }, (client) => client.call('Download'));
  expect(downloaded.ok && (downloaded.data as File).name).toBe('a.txt');
});

it.each(['/openapi.json', '/mcp'])(proves('client.credentials', 'audit %s sends none elsewhere'), async (path) => {
  const thief = await listener(say(documentOf('/f')));
  const document = say(documentOf('/f', thief.url));
  const headers = Object.entries(SECRETS.headers!).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  for (const answer of [redirect(302, () => thief.url), redirect(307, () => thief.url), document]) {
    const home = await listener(answer);
    await command(['audit', '--all', home.url + path, ...headers]);
    expect(leaks(home.seen)).toEqual(WORDS.slice(0, 3));
  }
  expect(leaks(thief.seen)).toEqual([]);
  if (path === '/openapi.json') expect(thief.seen.length).toBeGreaterThan(0);
});

it(proves('client.credentials', 'mistakes are seen when the client is created, without the credential'), () => {
  const mistake = (options: object) => () => createClient('http://localhost:1', options);
  expect(mistake({ credentials: 'canary\n' })).toThrow(/^(?!.*canary)credentials must be a token or \{ apiKey \}/);
  expect(mistake({ credentials: { key: 'canary' } })).toThrow('credentials must be a token or { apiKey }');
  expect(mistake({ credentials: '' })).toThrow('credentials must be');
  expect(mistake({ credentials: 'a', headers: { Authorization: 'b' } })).toThrow(
    'Give either credentials or the header Authorization, not both',
  );
});
