import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { CheckResponsesOptions, ResponseReport } from 'everywire/express';
import { checkResponses as forExpress } from 'everywire/express';
import { checkResponses as forFastify } from 'everywire/fastify';
import { checkResponses as forHono } from 'everywire/hono';
import { checkResponse } from 'everywire/responses';
import compression from 'compression';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { repairable, right, wrongAnswers } from './invalid-responses.ts';

/** A server of some framework: sends all of wrongAnswers, a valid response, and responses that must pass unchanged. */
interface Started {
  readonly url: string;
  close(): Promise<void>;
}

type Start = (options: CheckResponsesOptions) => Promise<Started>;

const answers = [...wrongAnswers, { path: '/right', body: right, rules: [] }];
const SLOW = '{"success":true,';

async function listening(server: Server): Promise<Started> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

const onExpress: Start = async (options) => {
  const app = express();
  app.use(forExpress(options));
  for (const { path, body } of answers) app.get(path, (_request, response) => void response.json(body));
  app.get('/text', (_request, response) => void response.type('text/plain').send('plain words'));
  app.get('/empty', (_request, response) => void response.status(204).end());
  app.get('/nothing', (_request, response) => void response.type('application/json').end());
  app.get('/unchanged', (_request, response) => void response.status(304).json({ success: true }));
  app.get('/page', (_request, response) => void response.send('<p>a page</p>'));
  app.get(
    '/bytes',
    (_request, response) => void response.type('application/octet-stream').send(Buffer.from([1, 2, 255])),
  );
  app.get('/stream', (_request, response) => {
    response.type('application/json');
    response.write(SLOW);
    setTimeout(() => response.end('"streamed":1}'), 30);
  });
  app.get('/throws', () => {
    throw new Error('broken route');
  });
  return listening(createServer(app));
};

const onHono: Start = async (options) => {
  const app = new Hono();
  app.use(forHono(options));
  for (const { path, body } of answers) app.get(path, (c) => c.json(body as object));
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
  app.get('/throws', () => {
    throw new Error('broken route');
  });
  app.onError((_error, c) => c.text('Internal Server Error', 500));
  // Hono uses Request and Response; this serves them on a socket.
  return listening(
    createServer(async (request, response) => {
      const asked = new Request(`http://localhost${request.url}`, { method: request.method ?? 'GET' });
      const answer = await app.fetch(asked);
      response.writeHead(answer.status, [...answer.headers].flat());
      if (answer.body) Readable.fromWeb(answer.body as never).pipe(response);
      else response.end();
    }),
  );
};

const onFastify: Start = async (options) => {
  const app = fastify();
  await app.register(forFastify(options));
  for (const { path, body } of answers) app.get(path, async () => body);
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
  app.get('/throws', () => {
    throw new Error('broken route');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
};

describe.each([
  ['Express 5', onExpress],
  ['Hono', onHono],
  ['Fastify', onFastify],
] as const)('responses of %s', (name, start) => {
  const reports: ResponseReport[] = [];
  const clock = () => new Date(0);
  const report = (found: ResponseReport) => void reports.push(found);
  const started = Object.fromEntries(
    (['enforce', 'repair', 'observe'] as const).map((mode) => [mode, start({ mode, report, clock })]),
  ) as Record<'enforce' | 'repair' | 'observe', Promise<Started>>;
  afterAll(async () => {
    await Promise.all(Object.values(started).map(async (server) => (await server).close()));
  });

  const ask = async (mode: keyof typeof started, path: string, init?: RequestInit) => {
    reports.length = 0;
    const response = await fetch((await started[mode]).url + path, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    const length = response.headers.get('content-length');
    if (length !== null && init?.method !== 'HEAD') expect(length).toBe(String(bytes.length));
    const text = bytes.toString();
    return {
      status: response.status,
      text,
      type: response.headers.get('content-type') ?? '',
      etag: response.headers.get('etag'),
    };
  };

  for (const { path, body, rules } of wrongAnswers) {
    it(proves('response.guard', `${path} is replaced, reported once, and sent once`), async () => {
      const { status, text, type, etag } = await ask('enforce', path);
      expect(status).toBe(500);
      expect(type).toMatch(/^application\/json/);
      expect(etag).toBe(null);
      const sent: unknown = JSON.parse(text);
      expect(checkResponse(sent)).toEqual([]);
      expect(sent).toMatchObject({ success: false, error: { code: 'INVALID_RESPONSE_FORMAT' } });
      expect(reports).toHaveLength(1);
      expect(reports[0]).toMatchObject({ method: 'GET', path, did: 'replaced' });
      expect(reports[0]?.violations.map(({ rule }) => rule)).toEqual(rules);
    });

    const isRepaired = repairable.includes(path);
    it(proves('response.guard', `${path} is ${isRepaired ? 'repaired' : 'replaced'}, or observed`), async () => {
      const repaired = await ask('repair', path);
      expect(checkResponse(JSON.parse(repaired.text))).toEqual([]);
      expect(repaired.status).toBe(isRepaired ? 200 : 500);
      expect(reports.map(({ did }) => did)).toEqual([isRepaired ? 'repaired' : 'replaced']);
      const observed = await ask('observe', path);
      expect([observed.status, JSON.parse(observed.text)]).toEqual([200, body]);
      expect(reports.map(({ did }) => did)).toEqual(['passed']);
    });
  }

  for (const mode of ['enforce', 'repair', 'observe'] as const) {
    it(
      proves('response.guard', `a right response, text, pages, bytes and streams pass untouched (${mode})`),
      async () => {
        expect(JSON.parse((await ask(mode, '/right')).text)).toEqual(right);
        expect((await ask(mode, '/text')).text).toBe('plain words');
        expect((await ask(mode, '/page')).text).toBe('<p>a page</p>');
        expect((await ask(mode, '/bytes')).text).toBe(Buffer.from([1, 2, 255]).toString());
        expect((await ask(mode, '/stream')).text).toBe('{"success":true,"streamed":1}');
        expect(reports).toEqual([]);
      },
    );

    it(proves('response.guard', `HEAD, 204, 304 and JSON of no bytes stay empty (${mode})`), async () => {
      expect(await ask(mode, '/unchanged')).toMatchObject({ status: 304, text: '' });
      expect(await ask(mode, '/missing-content', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
      expect(await ask(mode, '/empty')).toMatchObject({ status: 204, text: '' });
      expect(await ask(mode, '/nothing')).toMatchObject({ status: 200, text: '' });
      expect(reports).toEqual([]);
    });
  }

  it(
    proves('response.guard', 'an error of the framework itself is not hidden, and an unknown path stays 404'),
    async () => {
      expect((await ask('observe', '/throws')).status).toBe(500);
      expect((await ask('enforce', '/nowhere')).status).toBe(404);
      const { status, text } = await ask('repair', '/nowhere');
      expect(status).toBe(404);
      // Only Fastify sends JSON; pages and plain text pass unchanged.
      if (name === 'Fastify') expect(text).toContain('Route GET:/nowhere not found');
    },
  );
});

it('invalid options throw at once', () => {
  expect(() => forExpress({ mode: 'on' as never })).toThrow('mode must be one of enforce, repair, observe, not on');
  expect(() => forHono({ profile: 'xml' as never })).toThrow('profile must be one of plain, envelope');
  expect(() => forFastify({ report: 5 as never })).toThrow('report must be a function');
});

it(proves('response.guard', 'Express: 304 stays empty, and an unchanged body keeps its ETag'), async () => {
  const { url, close } = await onExpress({ mode: 'enforce', report: () => {} });
  const etag = (await fetch(`${url}/right`)).headers.get('etag') ?? '';
  expect(etag).not.toBe('');
  // fetch would add Cache-Control: no-cache, which asks for the body.
  const second = await new Promise<IncomingMessage>((resolve) => {
    get(`${url}/right`, { headers: { 'if-none-match': etag } }, resolve);
  });
  expect([second.statusCode, (await second.toArray()).length]).toEqual([304, 0]);
  await close();
});

/** Sets a header at the last moment by wrapping writeHead, as many packages do. */
const stamp: express.RequestHandler = (_request, response, next) => {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => typeof response;
  response.writeHead = ((...args: unknown[]) => {
    if (!response.headersSent) response.setHeader('x-stamp', 'late');
    return writeHead(...args);
  }) as typeof response.writeHead;
  next();
};

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
      app.use((_request, response, next) => {
        const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
        response.end = ((...args: unknown[]) => {
          ends.push(args[0]);
          return end(...args);
        }) as typeof response.end;
        next();
      });
      app.use(forExpress({ report: () => {} }));
      app.get('/', handler);
      const { url, close } = await listening(createServer(app));
      const response = await fetch(url);
      const text = await response.text();
      expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'INVALID_RESPONSE_FORMAT' } });
      expect(ends).toEqual([text]);
      if (way.startsWith('res.writeHead')) expect(response.headers.get('x-kept')).toBe('yes');
      if (way.includes('callback')) expect(called).toEqual(['done']);
      await close();
    });
  }

  it(proves('response.guard', 'server-sent events are flushed at once, untouched'), async () => {
    const app = express();
    app.use(forExpress());
    app.get('/', (_request, response) => {
      response.type('text/event-stream');
      response.flushHeaders();
      response.write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 20);
    });
    const { url, close } = await listening(createServer(app));
    expect(await (await fetch(url)).text()).toBe('data: 1\n\ndata: 2\n\n');
    await close();
  });

  it.each(['before', 'after'])(
    proves('response.guard', 'next to middleware that wraps the response, registered %s'),
    async (order) => {
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
      const { url, close } = await listening(createServer(app));
      for (const path of ['/json', '/page', '/head', '/json']) {
        const response = await fetch(url + path);
        expect(response.headers.get('x-stamp')).toBe('late');
        expect(response.headers.get('content-encoding')).toMatch(/gzip|br/);
        expect((await response.text()).length).toBeGreaterThan(4);
      }
      await close();
    },
  );

  it(proves('response.guard', 'cookies given twice and a length that is not sent'), async () => {
    const app = express();
    app.use(forExpress({ report: () => {} }));
    app.get('/', (_request, response) => {
      response.setHeader('transfer-encoding', 'chunked');
      response.writeHead(200, ['content-type', 'application/json', 'set-cookie', 'a=1', 'set-cookie', 'b=2']);
      response.end('{}');
    });
    const { url, close } = await listening(createServer(app));
    const response = await fetch(url);
    expect([response.status, response.headers.getSetCookie()]).toEqual([500, ['a=1', 'b=2']]);
    await close();
  });

  it(proves('response.guard', 'other profiles are guarded too, and problems keep their type'), async () => {
    const app = express();
    app.get(
      '/problem',
      forExpress({ profile: 'problem', report: () => {} }),
      (_request, response) => void response.json({ message: 'no' }),
    );
    app.get(
      '/mcp',
      forExpress({ profile: 'mcp', mode: 'repair', report: () => {} }),
      (_request, response) => void response.json({ structuredContent: { a: 1 } }),
    );
    const { url, close } = await listening(createServer(app));
    const problem = await fetch(`${url}/problem`);
    expect([problem.status, problem.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    expect(await problem.json()).toMatchObject({ status: 500, code: 'INVALID_RESPONSE_FORMAT' });
    expect(await (await fetch(`${url}/mcp`)).json()).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
      isError: false,
    });
    await close();
  });
});
