import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../cluster/calling.ts';
import { proves } from '../promises.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

const before = `let aborted = 0;
const waiting = (signal: AbortSignal) => new Promise((resolve) => {
  signal.addEventListener('abort', () => { aborted++; resolve('aborted'); });
});
async function* count() { for (const one of [1, 2]) { yield one; await new Promise((r) => setTimeout(r, 1000)); } }
`;
const stream = `{ name: 'Count', description: 'Counts', output: { type: 'integer', description: 'A number' }, run: () => count() }`;

let project: Project;
beforeAll(async () => {
  project = new Project();
  const module = appModule(
    { State: 'state', Address: '=context.caller.address', Wait: '=await waiting(context.signal)', Aborted: '=aborted' },
    { before },
  );
  project.write('app.ts', module.replace('functions: [', `functions: [defineFunction(${stream}), `));
  await project.start();
});

const POST = (name: string, more = '', body = '{}') =>
  `POST /functions/${name} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;

/** What is received on a connection until it is closed. */
async function exchange(send: (socket: ReturnType<typeof connect>) => void | Promise<void>): Promise<string> {
  const socket = connect(Number(new URL(project.url).port), '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  const closed = once(socket, 'close');
  await send(socket);
  await closed;
  return text;
}

describe('what passes through everywire dev', () => {
  it(proves('dev.reload', 'requests in a row on one connection, and the address of the client'), async () => {
    const text = await exchange((socket) => {
      socket.write(POST('State') + POST('Address') + POST('State', 'Connection: close\r\n'));
    });
    expect(text.match(/\{"result":"[^"]+"\}/g)).toEqual([
      '{"result":"state"}',
      '{"result":"127.0.0.1"}',
      '{"result":"state"}',
    ]);
  });

  it(proves('dev.reload', 'a body without length, no body, and one that waits for permission'), async () => {
    const chunked =
      'POST /functions/State HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n';
    const none = 'POST /functions/State HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const text = await exchange(async (socket) => {
      socket.write(chunked + none);
      socket.write(
        POST('State', 'Expect: 100-continue\r\nConnection: close\r\n', '').replace('Length: 0', 'Length: 2'),
      );
      await sleep(300);
      socket.write('{}');
    });
    expect(text.match(/HTTP\/1\.1 \d+ .+|\{.*\}/g)).toEqual([
      'HTTP/1.1 200 OK',
      '{"result":"state"}',
      'HTTP/1.1 200 OK',
      '{"result":"state"}',
      'HTTP/1.1 100 Continue',
      'HTTP/1.1 200 OK',
      '{"result":"state"}',
    ]);
  });

  it(
    proves('dev.reload', 'a client that half-closes gets its response, and one that hangs up ends its call'),
    async () => {
      expect(await exchange((socket) => void socket.end(POST('State')))).toContain('{"result":"state"}');
      await exchange(async (socket) => {
        socket.write(POST('Wait'));
        await sleep(300);
        socket.destroy();
      });
      await until('it is aborted', async () => (await project.result('Aborted')) === 1);
    },
  );

  it(proves('dev.reload', 'chunks arrive when they are sent'), async () => {
    const response = await fetch(`${project.url}/functions/Count`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: '{}',
    });
    const texts = [];
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) texts.push(chunk);
    expect(texts.length).toBeGreaterThan(1);
  });
});
