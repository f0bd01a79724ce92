import { request as httpRequest } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { queries } from './behaviours/queries.ts';
import { requests, type RequestBehaviour } from './behaviours/requests.ts';
import { modules } from './every-wire.ts';
import { cgi } from './kit/command.ts';
import { parseCgi } from './wires/cgi.ts';
import { httpWire, servedApp } from './wires/http.ts';
import { appOf } from './wires/process.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
  header(name: string): string | null;
}

/** Complete, with what a behaviour leaves out. */
type Sent = Required<Pick<RequestBehaviour, 'app' | 'method' | 'path' | 'headers' | 'body'>>;

async function throughFetch({ app, method, path, headers, body }: Sent): Promise<Reply> {
  const { fetch } = await appOf(app);
  const init = { method, headers, ...(body !== '' && { body }) };
  const response = await fetch(new Request(`http://localhost${path}`, init));
  return { status: response.status, body: await response.text(), header: (name) => response.headers.get(name) };
}

/** node:http rather than fetch, which would not let us set Host. */
async function overSocket({ app, method, path, headers, body }: Sent): Promise<Reply> {
  const { url } = await servedApp(app);
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = httpRequest(url + path, { method, headers: { ...headers, ...length } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          header: (name) => (response.headers[name] as string | undefined) ?? null,
        }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** The server's part of it: what the client sent, as variables. */
async function throughCgi({ app, method, path, headers, body }: Sent): Promise<Reply> {
  const [, name = '', query = ''] = /^([^?]*)\??(.*)$/.exec(path) ?? [];
  const named = Object.entries(headers).map(([key, value]) => [
    `HTTP_${key.toUpperCase().replaceAll('-', '_')}`,
    value,
  ]);
  const { HTTP_CONTENT_TYPE: type, ...others } = Object.fromEntries(named) as Record<string, string>;
  const bytes = new TextEncoder().encode(body);
  const { stdout } = await cgi(
    modules[app],
    {
      HTTP_HOST: 'localhost',
      ...others,
      REQUEST_METHOD: method,
      PATH_INFO: decoded(name),
      QUERY_STRING: query,
      ...(type !== undefined && { CONTENT_TYPE: type }),
      ...(body !== '' && { CONTENT_LENGTH: String(bytes.length) }),
    },
    bytes,
  );
  const answer = parseCgi(stdout);
  return { status: answer.status, body: answer.body, header: (key) => answer.headers[key] ?? null };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

for (const [host, send] of [
  ['cgi', throughCgi],
  ['http', overSocket],
  ['fetch', throughFetch],
] as const) {
  describe.concurrent(`requests over ${host}`, () => {
    for (const behaviour of [...requests, ...queries]) {
      if (behaviour.except?.[host]) continue;
      it(behaviour.title, async () => {
        const { answer } = behaviour;
        const reply = await send({ app: 'calculator', method: 'GET', headers: {}, body: '', ...behaviour });
        if (typeof answer.body === 'string') expect(reply.body).toBe(answer.body);
        else expect(reply.body).toMatch(answer.body);
        expect(reply.status).toBe(answer.status);
        for (const [name, value] of Object.entries(answer.headers ?? {})) expect(reply.header(name)).toBe(value);
      });
    }
  });
}

afterAll(() => httpWire.close?.());
