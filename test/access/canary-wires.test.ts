import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { createApp, type App } from 'everywire';
import { Credentials, type CredentialParts } from 'everywire/access';
import { serve, type NodeHost } from 'everywire/node';
import { openTelemetry } from 'everywire/opentelemetry';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTelemetry } from '../audit/telemetry.ts';
import { appCommand, cgi, type Ran } from '../kit/command.ts';
import { legacy, META, modern, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { AUDIENCE, base64, createKey, startIssuer, startServer, type Issuer, type Server } from './issuer.ts';

let secrets: Awaited<ReturnType<typeof startSecrets>>;
let served: NodeHost;
/** Everything that came out anywhere: bodies, headers, logs, records, spans. */
const seen: string[] = [];
const see = (...values: unknown[]) => void seen.push(inspect(values, { depth: Infinity, maxStringLength: Infinity }));
const { spans, metrics, reader, meterProvider, tracerProvider } = createTelemetry();

/** A new app, as each command has its own, whose logs, records, steps and spans are seen. */
let create: () => App;

beforeAll(async () => {
  secrets = await startSecrets();
  Object.assign(process.env, secrets.environment);
  const { options } = (await import('../apps/canaries.ts')) as typeof import('../apps/canaries.ts');
  create = () =>
    createApp({
      ...options(),
      log: { debug: see, info: see, warn: see, error: see },
      audit: { to: [see, openTelemetry({ tracerProvider, meterProvider })], arguments: true },
    }) as never;
  served = await serve(create(), { port: 0 });
});
afterAll(async () => {
  await served.drain();
  await meterProvider.shutdown();
  await secrets[Symbol.asyncDispose]();
  for (const name of Object.keys(secrets.environment)) delete process.env[name];
});

const headersOf = ({ send: { bearer, apiKey, malformed } }: Planted): Record<string, string> => ({
  'x-tenant': 'blue',
  ...(bearer !== undefined && { authorization: malformed ? `Bearer ${bearer} ${bearer}` : `Bearer ${bearer}` }),
  ...(apiKey !== undefined && { 'x-api-key': apiKey }),
});

/** Returns the status, and remembers the rest. */
async function read(response: Response): Promise<number> {
  seen.push(JSON.stringify([...response.headers]), await response.text());
  return response.status;
}

const json = { 'content-type': 'application/json' };

/** Ways in, each of which asks for what it can. */
const SERVERS: Readonly<Record<string, (headers: Record<string, string>, name: string) => Promise<Response>>> = {
  HTTP: (headers, name) =>
    fetch(`${served.url}/functions/${name}`, { method: 'POST', headers: { ...json, ...headers }, body: '{}' }),
  'a stream': (headers, name) =>
    fetch(`${served.url}/functions/${name}`, { method: 'POST', headers: { ...headers, accept: 'text/event-stream' } }),
  OpenAPI: (headers) => fetch(`${served.url}/openapi.json`, { headers }),
  'MCP 2025-11-25': (headers, name) => legacy(served.url, tool(name), undefined, undefined, headers),
  'MCP 2026-07-28': (headers, name) => modern(served.url, tool(name), undefined, headers),
};

it.each(Object.entries(SERVERS))(proves('access.secrets', 'none of 60 is seen: %s'), async (way, send) => {
  const statuses = new Set<number>();
  for (let i = 0; i < 60; i++) {
    statuses.add(await read(await send(headersOf(secrets.plant()), i % 3 === 0 ? 'Fail' : 'Tell')));
  }
  // Recognised, malformed and refused; the document is for everybody.
  if (way !== 'OpenAPI') expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401]));
});

/** Commands, each with an app of its own. */
const COMMANDS: Readonly<Record<string, (planted: Planted, name: string) => Promise<Ran>>> = {
  CGI: (planted, name) => {
    const { authorization, 'x-api-key': key } = headersOf(planted);
    return cgi(create(), {
      REQUEST_METHOD: 'POST',
      PATH_INFO: `/functions/${name}`,
      ...(authorization && { HTTP_AUTHORIZATION: authorization }),
      ...(key && { HTTP_X_API_KEY: key }),
    });
  },
  'the command line': (planted, name) => appCommand(create(), [name, '--profile', 'status'], { env: tokenOf(planted) }),
  'MCP over stdio': (planted, name) => {
    const message = { jsonrpc: '2.0', id: 1, ...tool(name, {}, { _meta: META }) };
    const input = `${JSON.stringify(message)}\n`;
    return appCommand(create(), ['mcp', '--verbose'], { input, env: tokenOf(planted) });
  },
};

function tokenOf({ send: { bearer, apiKey, malformed } }: Planted): Record<string, string> {
  const token = bearer ?? apiKey ?? '';
  return { EVERYWIRE_TOKEN: malformed ? `${token} ${token}` : token };
}

it.each(Object.entries(COMMANDS))(proves('access.secrets', 'none is seen: %s'), async (_way, start) => {
  let recognised = 0;
  for (let i = 0; i < 24; i++) {
    const { stdout, stderr } = await start(secrets.plant(), i % 2 ? 'Fail' : 'Tell');
    seen.push(stdout, stderr);
    if (stdout.includes('principal')) recognised++;
  }
  expect(recognised).toBeGreaterThan(0);
});

it(proves('access.secrets', 'none is seen by those who ask a credential for what it has'), async () => {
  const app = create();
  const codes = new Set<string>();
  for (let i = 0; i < 60; i++) {
    const credentials = new Credentials(secrets.plant().send);
    const { outcome } = await app.respond({
      name: 'Fail',
      fn: app.find('Fail'),
      caller: { wire: 'test' },
      credentials,
    });
    see(outcome, credentials, JSON.stringify(credentials), Object.entries(credentials));
    if (!outcome.ok) codes.add(outcome.error.code);
  }
  // Every way was gone: malformed, recognised, refused, and not decided.
  expect([...codes].toSorted()).toEqual(['BAD_REQUEST', 'INTERNAL_ERROR', 'UNAUTHENTICATED', 'UNAVAILABLE']);
});

it(proves('access.secrets', 'none of more than 500 was seen in anything that came out'), async () => {
  await reader.forceFlush();
  const told = spans
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => [name, attributes, events, status]);
  expect(told.length).toBeGreaterThan(300);
  see(told, metrics.getMetrics());
  const all = seen.join('\n');
  for (const code of ['OK', 'UNAUTHENTICATED']) expect(all).toContain(`code: '${code}'`);
  expect(all.length).toBeGreaterThan(300_000);
  expect(all).toContain('blue');
  expect(secrets.planted.size).toBeGreaterThan(500);
  expect(secrets.seenIn(all)).toEqual([]);
});

/** Something secret, in a form that can be presented. */
interface Planted {
  readonly send: Pick<CredentialParts, 'bearer' | 'apiKey' | 'malformed'>;
}

const canary = () => randomBytes(12).toString('hex');

/** An issuer, a server for introspection, and new secrets in all forms. */
async function startSecrets() {
  const issuer = await startIssuer(createKey('key'));
  const endpoint = await startEndpoint();
  // An API key that is right, and the app's own secret at the authorization server.
  const valid = canary();
  const planted = new Set([valid]);
  const ways = waysFor(issuer);
  let count = 0;
  return {
    planted,
    /** For the app: where the servers are, and the hash of the key. */
    environment: {
      CANARY_ISSUER: issuer.url,
      CANARY_ENDPOINT: endpoint.url,
      CANARY_KEY: `sha256:${createHash('sha256').update(valid).digest('hex')}`,
      CANARY_SECRET: valid,
    },
    /** The next way to present something secret. */
    plant(): Planted {
      const way = ways[count % ways.length]!;
      // At times the key that is right.
      const secret = count % ways.length === 0 && count % 5 === 0 ? valid : canary();
      count++;
      const { send, hide = [secret] } = way(secret);
      const bearer = send.bearer ? [send.bearer, send.bearer.split('.').at(-1)!] : [];
      for (const one of [...hide, ...bearer]) planted.add(one);
      return { send };
    },
    /** Those that were planted, and are to be seen in the text. */
    seenIn: (text: string) => [...planted].filter((secret) => text.includes(secret)),
    async [Symbol.asyncDispose]() {
      await Promise.all([issuer, endpoint].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

type Way = (secret: string) => { send: Planted['send']; hide?: string[] };

const waysFor = (issuer: Issuer): Way[] => [
  (secret) => ({ send: { apiKey: secret } }),
  (secret) => ({ send: { bearer: secret } }),
  (secret) => ({ send: { bearer: `broken-${secret}` } }),
  (secret) => ({ send: { bearer: secret, malformed: true } }),
  (secret) => ({ send: { bearer: issuer.token({ secret }) }, hide: [secret, base64(secret)] }),
  (secret) => ({ send: { bearer: issuer.token({ secret: { list: [secret] }, exp: 1 }) } }),
  (secret) => ({ send: { bearer: issuer.token({ aud: secret }) } }),
  (secret) => ({ send: { bearer: issuer.token({ iss: `${issuer.url}/${secret}` }) } }),
  (secret) => ({ send: { bearer: issuer.token({}, { kid: secret }) } }),
  (secret) => ({ send: { bearer: issuer.token({}, { crit: [secret], [secret]: 1 }) } }),
  (secret) => ({ send: { bearer: issuer.token({ exp: secret }) } }),
  (secret) => ({ send: { bearer: `${base64({ alg: secret })}.${base64({ iss: issuer.url, secret })}.${secret}` } }),
];

/** Returns the token, as no server should. */
function startEndpoint(): Promise<Server> {
  return startServer((request, response) => {
    let form = '';
    request.on('data', (data) => (form += data));
    request.on('end', () => {
      const token = new URLSearchParams(form).get('token')!;
      const isBroken = token.startsWith('broken');
      response.statusCode = isBroken ? 500 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(isBroken ? { error: token } : { active: true, aud: AUDIENCE, sub: 'a', jti: token }));
    });
  });
}
