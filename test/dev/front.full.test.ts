import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, until } from '../cluster/calling.ts';
import { modules } from '../every-wire.ts';
import { asJson } from '../kit/as-json.ts';
import { expectErrors } from '../kit/errors.ts';
import { dial, postText, requestText } from '../kit/raw.ts';
import { startCommand } from '../kit/served.ts';
import { proves } from '../promises.ts';
import { runBehaviours } from '../run-behaviours.ts';
import { CLIENTS } from '../share/clients.ts';
import { httpWireOf } from '../wires/http.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);
// Of the behaviours, as in behaviours.test.ts.
expectErrors(/"operationId":"functions\.(?:Text|Mumble|CountThenLie|BadContent|Inner|CallsThrowing|CallsWrongly)"/);

// What passes through the process that the user started is what `everywire serve` would send.
runBehaviours(httpWireOf((name) => startCommand('dev', modules[name])));

describe('what passes through everywire dev', () => {
  const before = `let aborted = 0;
const waiting = (signal: AbortSignal) => new Promise((resolve) => {
  signal.addEventListener('abort', () => { aborted++; resolve('aborted'); });
});
async function* count() { for (const one of [1, 2]) { yield one; await new Promise((r) => setTimeout(r, 1000)); } }
`;
  const stream = `{ name: 'Count', description: 'Counts', output: { type: 'integer', description: 'A number' }, run: () => count() }`;

  let project: Project;
  beforeAll(async () => {
    const calling = { Address: '=context.caller.address', Wait: '=await waiting(context.signal)' };
    const module = appModule({ State: 'state', ...calling, Aborted: '=aborted' }, { before });
    const source = module.replace('functions: [', `functions: [defineFunction(${stream}), `);
    project = await Project.started({ 'app.ts': source });
  });

  const POST = (name: string, ...more: readonly string[]) =>
    postText(`/functions/${name}`, '{}', 'Content-Type: application/json', ...more);

  /** What is received on a connection until it is closed. */
  async function exchange(send: (socket: Socket) => void | Promise<void>): Promise<string> {
    const { socket, rest } = dial(project.url);
    await send(socket);
    return rest();
  }

  it(proves('dev.reload', 'requests in a row on one connection, and the address of the client'), async () => {
    const text = await exchange((socket) => {
      socket.write(POST('State') + POST('Address') + POST('State', 'Connection: close'));
    });
    expect(text.match(/\{"result":"[^"]+"\}/g)).toEqual([
      '{"result":"state"}',
      '{"result":"127.0.0.1"}',
      '{"result":"state"}',
    ]);
  });

  it(proves('dev.reload', 'a body without length, no body, and one that waits for permission'), async () => {
    const headers = ['Host: localhost', 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const chunked = requestText('POST /functions/State', headers, '2\r\n{}\r\n0\r\n\r\n');
    const none = requestText('POST /functions/State', ['Host: localhost']);
    const text = await exchange(async (socket) => {
      socket.write(chunked + none);
      socket.write(POST('State', 'Expect: 100-continue', 'Connection: close').slice(0, -2));
      await sleep(300);
      socket.write('{}');
    });
    const answered = ['HTTP/1.1 200 OK', '{"result":"state"}'];
    const expected = [...answered, ...answered, 'HTTP/1.1 100 Continue', ...answered];
    expect(text.match(/HTTP\/1\.1 \d+ .+|\{.*\}/g)).toEqual(expected);
  });

  it(proves('dev.reload', 'one that half-closes gets its response, and one that hangs up ends its call'), async () => {
    expect(await exchange((socket) => void socket.end(POST('State')))).toContain('{"result":"state"}');
    await exchange(async (socket) => {
      socket.write(POST('Wait'));
      await sleep(300);
      socket.destroy();
    });
    await until('it is aborted', async () => (await project.result('Aborted')) === 1);
  });

  it(proves('dev.reload', 'chunks arrive when they are sent'), async () => {
    const response = await fetch(`${project.url}/functions/Count`, asJson({}, { accept: 'text/event-stream' }));
    const texts = [];
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) texts.push(chunk);
    expect(texts.length).toBeGreaterThan(1);
  });
});

const ASK = "await context.ask({ type: 'object', properties: { yes: { type: 'boolean' } } }, 'Sure?')";

describe.each(Object.entries(CLIENTS))('the official client %s', (_name, connect) => {
  it(proves('dev.mcp', 'hears of each change, and calls what is new without connecting again'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ First: 'one' }) });
    const client = await connect(project.url);
    expect(await client.list()).toBe(1);
    const names = ['Second', 'Third', 'Fourth'];
    for (const [i, name] of names.entries()) {
      const functions = Object.fromEntries(['First', ...names.slice(0, i + 1)].map((one) => [one, `${one} ${i}`]));
      const printed = await project.reloaded(() => project.write('app.ts', appModule(functions)));
      expect(printed).toContain(`  + ${name}\n  1 MCP client notified\n`);
      await until('the notification', () => client.notified.length === i + 1);
      expect(await client.list()).toBe(i + 2);
      expect(await client.call(name)).toBe(`${name} ${i}`);
      expect(await client.call('First')).toBe(`First ${i}`);
    }
    // Nothing that clients see: nobody is notified.
    const same = appModule(Object.fromEntries(['First', ...names].map((one) => [one, 'same'])));
    expect(await project.reloaded(() => project.write('app.ts', same))).not.toContain('notified');
    expect(await client.call('Fourth')).toBe('same');
    expect(client.notified).toEqual(['tools', 'tools', 'tools']);
    await client.close();
  });

  it(proves('dev.mcp', 'survives a broken version, and a process that dies'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ First: 'one', Die: '=process.exit(3)' }) });
    const client = await connect(project.url);
    await project.reloaded(() => project.write('app.ts', 'const = 1'), 'goes on serving');
    expect(await client.call('First')).toBe('one');
    await project.reloaded(() => project.write('app.ts', appModule({ First: 'two', Die: '=process.exit(3)' })));
    await project.reloaded(() => void call(project.url, 'Die').catch(() => {}));
    expect(await client.call('First')).toBe('two');
    await project.reloaded(() => project.write('app.ts', appModule({ First: 'three', New: 'new' })));
    await until('the notification', () => client.notified.length === 1);
    expect(await client.call('New')).toBe('new');
    await client.close();
  });

  it(proves('dev.mcp', 'answers the question of a call that began before'), async () => {
    const before = "import { setTimeout as sleep } from 'node:timers/promises';";
    const asking = (text: string) => appModule({ Ask: `=(await sleep(1500), ${ASK}, '${text}')` }, { before });
    const project = await Project.started({ 'app.ts': asking('old') });
    const client = await connect(project.url);
    const asked = client.call('Ask');
    await sleep(200);
    await project.reloaded(() => project.write('app.ts', asking('new')));
    // In 2026-07-28, the question is answered with a second request, which new code takes.
    expect(await asked).toMatch(/^(?:old|new)$/);
    await client.close();
  });

  it(proves('dev.mcp', 'stays subscribed to resources'), async () => {
    const app = (text: string) =>
      appModule(
        { Change: `=(app.changes.resourceUpdated('note://1'), '${text}')` },
        {
          before: `import { defineResource } from ${JSON.stringify(resolve('dist/index.js'))};
const resource = defineResource({ uri: 'note://1', name: 'Note', description: 'A note', read: () => '${text}' });`,
          more: ', resources: [resource]',
        },
      );
    const project = await Project.started({ 'app.ts': app('old') });
    const client = await connect(project.url);
    await client.subscribe('note://1');
    // The stream of a client may not be open yet.
    await until('the first change', async () => {
      await client.call('Change');
      return client.notified.length > 0;
    });
    const before = client.notified.length;
    await project.reloaded(() => project.write('app.ts', app('new')));
    expect(await client.call('Change')).toBe('new');
    await until('the second change', () => client.notified.length > before);
    await client.close();
  });
});
