import { get, type IncomingMessage, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import compression from 'compression';
import { checkResponses as forExpress, type CheckResponsesOptions, type ResponseReport } from 'everywire/express';
import { checkResponses as forFastify } from 'everywire/fastify';
import { checkResponses as forHono } from 'everywire/hono';
import { checkResponse } from 'everywire/responses';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type Server } from '../access/issuer.ts';
import { throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const TIME = { timestamp: '2026-01-01T00:00:00Z' };
const said = (text: string) => ({ content: [{ type: 'text', text }] });

const right = { success: true, ...TIME, ...said('All is well'), data: { id: 1 } };

/** Whether `repair` can fix it, or replaces it; where and what it is; and the rules of the envelope that are reported. */
type WrongAnswer = readonly [isRepairable: boolean, path: string, body: unknown, ...rules: string[]];

const ok = { success: true, ...TIME };
const error = { code: 'E', message: 'x' };

/** Responses that break the standard, each in its own way. Every framework sends all of them. */
const wrongAnswers: readonly WrongAnswer[] = [
  [true, '/missing-content', { ...ok, data: { id: 1 } }, 'content'],
  [true, '/missing-timestamp', { success: true, ...said('x') }, 'timestamp'],
  [true, '/missing-success', { ...TIME, ...said('x') }, 'success'],
  [true, '/other-flag', { ok: true, data: { id: 1 } }, 'success', 'timestamp', 'content'],
  [true, '/missing-type', { ...ok, content: [{ text: 'x' }] }, 'item-type'],
  [true, '/empty-content', { ...ok, content: [] }, 'content-not-empty'],
  [true, '/error-as-text', { ...ok, success: false, ...said('Error: no'), error: 'no' }, 'error-required'],
  [false, '/error-on-success', { ...ok, ...said('x'), error }, 'error-forbidden'],
  [true, '/raw-json', { ...ok, ...said('{"a":1}'), data: { a: 1 } }, 'readable'],
  [false, '/image-without-words', { ...ok, content: [{ type: 'image', url: 'u' }] }, 'image-item'],
  [false, '/a-list', [1, 2], 'object'],
];

/** A server of some framework: sends all of wrongAnswers, a valid response, and responses that must pass unchanged. */
type Start = (options: CheckResponsesOptions) => Promise<Server>;

const answers = [...wrongAnswers, [true, '/right', right] as const];
const SLOW = '{"success":true,';
const breaks = throwing(new Error('broken route'));

const onExpress: Start = async (options) => {
  const app = express();
  app.use(forExpress(options));
  for (const [, path, body] of answers) app.get(path, (_request, response) => void response.json(body));
  app.get('/text', (_request, response) => void response.type('text/plain').send('plain words'));
  app.get('/empty', (_request, response) => void response.status(204).end());
  app.get('/nothing', (_request, response) => void response.type('application/json').end());
  app.get('/unchanged', (_request, response) => void response.status(304).json({ success: true }));
  app.get('/page', (_request, response) => void response.send('<p>a page</p>'));
  const bytes = Buffer.from([1, 2, 255]);
  app.get('/bytes', (_request, response) => void response.type('application/octet-stream').send(bytes));
  app.get('/stream', (_request, response) => {
    response.type('application/json');
    response.write(SLOW);
    setTimeout(() => response.end('"streamed":1}'), 30);
  });
  app.get('/throws', breaks);
  return startServer(app);
};

const onHono: Start = async (options) => {
  const app = new Hono();
  app.use(forHono(options));
  for (const [, path, body] of answers) app.get(path, (c) => c.json(body as object));
  app.get('/text', (c) => c.text('plain words'));
  app.get('/empty', (c) => c.body(null, 204));
  app.get('/nothing', (c) => c.body('', 200, { 'content-type': 'application/json' }));
  app.get('/unchanged', (c) => c.body(null, 304, { 'content-type': 'application/json' }));
  app.get('/page', (c) => c.html('<p>a page</p>'));
  app.get('/bytes', (c) => c.body(new Uint8Array([1, 2, 255]), 200, { 'content-type': 'application/octet-stream' }));
  app.get('/stream', (c) => {
    c.header('content-type', 'application/json');
    return stream(c, async (out) => {
      await out.write(SLOW);
      await out.sleep(30);
      await out.write('"streamed":1}');
    });
  });
  app.get('/throws', breaks);
  app.onError((_error, c) => c.text('Internal Server Error', 500));
  // Hono uses Request and Response; this serves them on a socket.
  return startServer(async (request, response) => {
    const asked = new Request(`http://localhost${request.url}`, { method: request.method ?? 'GET' });
    const answer = await app.fetch(asked);
    response.writeHead(answer.status, [...answer.headers].flat());
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
    else response.end();
  });
};

const onFastify: Start = async (options) => {
  const app = fastify();
  await app.register(forFastify(options));
  for (const [, path, body] of answers) app.get(path, async () => body);
  app.get('/text', (_request, reply) => reply.type('text/plain').send('plain words'));
  app.get('/empty', (_request, reply) => reply.code(204).send());
  app.get('/nothing', (_request, reply) => reply.type('application/json').send(''));
  app.get('/unchanged', (_request, reply) => reply.code(304).send());
  app.get('/page', (_request, reply) => reply.type('text/html').send('<p>a page</p>'));
  app.get('/bytes', (_request, reply) => reply.type('application/octet-stream').send(Buffer.from([1, 2, 255])));
  app.get('/stream', (_request, reply) => {
    const slowly = async function* () {
      yield SLOW;
      await new Promise((resolve) => setTimeout(resolve, 30));
      yield '"streamed":1}';
    };
    return reply.type('application/json').send(Readable.from(slowly()));
  });
  app.get('/throws', breaks);
  await app.ready();
  return startServer(app.routing.bind(app) as RequestListener);
};

describe.each([
  ['Express 5', onExpress],
  ['Hono', onHono],
  ['Fastify', onFastify],
] as const)('responses of %s', (name, start) => {
  const reports: ResponseReport[] = [];
  const clock = () => new Date(0);
  const report = (found: ResponseReport) => void reports.push(found);
  const modes = ['enforce', 'repair', 'observe'] as const;
  const started = {} as Record<(typeof modes)[number], Server>;
  beforeAll(async () => {
    for (const mode of modes) started[mode] = await start({ mode, report, clock });
  });
  afterAll(async () => {
    for (const server of Object.values(started)) await server[Symbol.asyncDispose]();
  });

  const ask = async (mode: keyof typeof started, path: string, init?: RequestInit) => {
    reports.length = 0;
    const response = await fetch(started[mode].url + path, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    const length = response.headers.get('content-length');
    if (length !== null && init?.method !== 'HEAD') expect(length).toBe(String(bytes.length));
    const [type = '', etag] = ['content-type', 'etag'].map((key) => response.headers.get(key) ?? undefined);
    return { status: response.status, text: bytes.toString(), type, etag };
  };

  for (const [isRepairable, path, body, ...rules] of wrongAnswers) {
    it(proves('response.guard', `${path} is replaced, reported once, and sent once`), async () => {
      const { status, text, type, etag } = await ask('enforce', path);
      expect(status).toBe(500);
      expect(type).toMatch(/^application\/json/);
      expect(etag).toBe(undefined);
      const sent: unknown = JSON.parse(text);
      expect(checkResponse(sent)).toEqual([]);
      expect(sent).toMatchObject({ success: false, error: { code: 'INVALID_RESPONSE_FORMAT' } });
      expect(reports).toHaveLength(1);
      expect(reports[0]).toMatchObject({ method: 'GET', path, did: 'replaced' });
      expect(reports[0]?.violations.map(({ rule }) => rule)).toEqual(rules.map((rule) => `envelope.${rule}`));
    });

    it(proves('response.guard', `${path} is ${isRepairable ? 'repaired' : 'replaced'}, or observed`), async () => {
      const repaired = await ask('repair', path);
      expect(checkResponse(JSON.parse(repaired.text))).toEqual([]);
      expect(repaired.status).toBe(isRepairable ? 200 : 500);
      expect(reports.map(({ did }) => did)).toEqual([isRepairable ? 'repaired' : 'replaced']);
      const observed = await ask('observe', path);
      expect([observed.status, JSON.parse(observed.text)]).toEqual([200, body]);
      expect(reports.map(({ did }) => did)).toEqual(['passed']);
    });
  }

  for (const mode of modes) {
    it(proves('response.guard', `a right response, text, pages, bytes and streams pass (${mode})`), async () => {
      for (const [path, text] of [
        ['/right', JSON.stringify(right)],
        ['/text', 'plain words'],
        ['/page', '<p>a page</p>'],
        ['/bytes', Buffer.from([1, 2, 255]).toString()],
        ['/stream', '{"success":true,"streamed":1}'],
      ] as const)
        expect((await ask(mode, path)).text).toBe(text);
      expect(reports).toEqual([]);
    });

    it(proves('response.guard', `HEAD, 204, 304 and JSON of no bytes stay empty (${mode})`), async () => {
      expect(await ask(mode, '/unchanged')).toMatchObject({ status: 304, text: '' });
      expect(await ask(mode, '/missing-content', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
      expect(await ask(mode, '/empty')).toMatchObject({ status: 204, text: '' });
      expect(await ask(mode, '/nothing')).toMatchObject({ status: 200, text: '' });
      expect(reports).toEqual([]);
    });
  }

  it(proves('response.guard', 'an error of the framework is not hidden, and an unknown path stays 404'), async () => {
    expect((await ask('observe', '/throws')).status).toBe(500);
    expect((await ask('enforce', '/nowhere')).status).toBe(404);
    const { status, text } = await ask('repair', '/nowhere');
    expect(status).toBe(404);
    // Only Fastify sends JSON; pages and plain text pass unchanged.
    if (name === 'Fastify') expect(text).toContain('Route GET:/nowhere not found');
  });
});

it('invalid options throw at once', () => {
  expect(() => forExpress({ mode: 'on' as never })).toThrow('mode must be one of enforce, repair, observe, not on');
  expect(() => forHono({ profile: 'xml' as never })).toThrow('profile must be one of plain, envelope');
  expect(() => forFastify({ report: 5 as never })).toThrow('report must be a function');
});

it(proves('response.guard', 'Express: 304 stays empty, and an unchanged body keeps its ETag'), async () => {
  await using server = await onExpress({ mode: 'enforce', report: () => {} });
  const { url } = server;
  const etag = (await fetch(`${url}/right`)).headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  // fetch would add Cache-Control: no-cache, which asks for the body.
  const second = await new Promise<IncomingMessage>((resolve) => {
    get(`${url}/right`, { headers: { 'if-none-match': etag } }, resolve);
  });
  expect([second.statusCode, (await second.toArray()).length]).toEqual([304, 0]);
});

/** Calls `act` with the arguments of each call of a method of the response, as many packages do. */
const wrapping =
  (name: 'end' | 'writeHead', act: (response: express.Response, first: unknown) => void): express.RequestHandler =>
  (_request, response, next) => {
    const original = response[name].bind(response) as (...args: unknown[]) => typeof response;
    response[name] = ((...args: unknown[]) => {
      act(response, args[0]);
      return original(...args);
    }) as never;
    next();
  };

/** Sets a header at the last moment. */
const stamp = wrapping('writeHead', (response) => {
  if (!response.headersSent) response.setHeader('x-stamp', 'late');
});

describe('Express, however a response is written', () => {
  const wrong = { success: true };
  const ways: Readonly<Record<string, express.RequestHandler>> = {
    'res.json': (_request, response) => void response.json(wrong),
    'res.send of an object': (_request, response) => void response.send(wrong),
    'res.send of a string': (_request, response) => void response.type('json').send(JSON.stringify(wrong)),
    'res.send of bytes': (_request, response) => void response.type('json').send(Buffer.from(JSON.stringify(wrong))),
    'res.end': (_request, response) => void response.type('json').end(JSON.stringify(wrong)),
    'res.end with an encoding and a callback': (_request, response) =>
      void response.type('json').end(JSON.stringify(wrong), 'utf8', () => called.push('done')),
    'res.writeHead with headers': (_request, response) => {
      const body = JSON.stringify(wrong);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, 'X-Kept': 'yes' });
      response.end(body);
    },
    'res.writeHead with a reason and a list': (_request, response) => {
      response.writeHead(200, 'Fine', ['content-type', 'application/json', 'x-kept', 'yes']);
      response.end(JSON.stringify(wrong));
    },
    'an own status': (_request, response) => void response.status(201).json(wrong),
    'a vendor type': (_request, response) =>
      void response.type('application/vnd.acme+json').send(JSON.stringify(wrong)),
    'text that is no JSON': (_request, response) => void response.type('json').send('{"success":'),
  };
  const called: string[] = [];

  for (const [way, handler] of Object.entries(ways)) {
    it(proves('response.guard', way), async () => {
      const ends: unknown[] = [];
      const app = express();
      // The original end, as later middleware sees it.
      app.use(wrapping('end', (_response, sent) => ends.push(sent)));
      app.use(forExpress({ report: () => {} }));
      app.get('/', handler);
      await using server = await startServer(app);
      const response = await fetch(server.url);
      const text = await response.text();
      expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'INVALID_RESPONSE_FORMAT' } });
      expect(ends).toEqual([text]);
      if (way.startsWith('res.writeHead')) expect(response.headers.get('x-kept')).toBe('yes');
      if (way.includes('callback')) expect(called).toEqual(['done']);
    });
  }

  it.each(['before', 'after'])(proves('response.guard', 'beside middleware that wraps, %s'), async (order) => {
    const app = express();
    const others = [compression({ threshold: 0 }), stamp];
    const guard = forExpress({ mode: 'repair', report: () => {} });
    for (const layer of order === 'before' ? [...others, guard] : [guard, ...others]) app.use(layer);
    app.get('/json', (_request, response) => void response.json({ ...right, data: 'x'.repeat(3000) }));
    app.get('/page', (_request, response) => void response.send('<p>a page</p>'));
    app.get('/head', (_request, response) => {
      response.writeHead(201, { 'content-type': 'text/plain' });
      response.end('words');
    });
    await using server = await startServer(app);
    for (const path of ['/json', '/page', '/head', '/json']) {
      const response = await fetch(server.url + path);
      expect(response.headers.get('x-stamp')).toBe('late');
      expect(response.headers.get('content-encoding')).toMatch(/gzip|br/);
      expect((await response.text()).length).toBeGreaterThan(4);
    }
  });

  it(proves('response.guard', 'other profiles are guarded too, and problems keep their type'), async () => {
    const app = express();
    const problems = forExpress({ profile: 'problem', report: () => {} });
    const tools = forExpress({ profile: 'mcp', mode: 'repair', report: () => {} });
    app.get('/problem', problems, (_request, response) => void response.json({ message: 'no' }));
    app.get('/mcp', tools, (_request, response) => void response.json({ structuredContent: { a: 1 } }));
    await using server = await startServer(app);
    const problem = await fetch(`${server.url}/problem`);
    expect([problem.status, problem.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    expect(await problem.json()).toMatchObject({ status: 500, code: 'INVALID_RESPONSE_FORMAT' });
    const expected = { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 }, isError: false };
    expect(await (await fetch(`${server.url}/mcp`)).json()).toEqual(expected);
  });
});
