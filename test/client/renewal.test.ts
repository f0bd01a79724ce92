import { createClient } from 'everywire/client';
import type { ClientOptions, GetCredential } from 'everywire/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../access/issuer.ts';
import { keys } from '../apps/access.ts';
import { proves } from '../promises.ts';
import { sharedServer } from '../kit/broker.ts';

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

it(proves('client.credentials', 'no other origin gets it, along a redirect or from a document'), async () => {
  const seen: unknown[] = [];
  await using thief = await startServer((request, response) => {
    seen.push(request.headers['authorization'], request.headers['x-api-key']);
    response.end('{}');
  });
  await using home = await startServer(
    (_request, response) => void response.writeHead(302, { location: thief.url }).end(),
  );
  for (const path of WIRES)
    for (const credentials of [keys.reader, { apiKey: keys.reader }, () => keys.reader]) {
      const client = createClient(home.url + path, { credentials });
      await client.call('F');
      await client.close();
    }
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((one) => one !== undefined)).toEqual([]);
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
