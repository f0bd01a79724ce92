import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { INITIALIZE, META, tool } from './mcp-post.ts';

// In processes of their own: this is about descriptors, signals, exit codes, and readers that are slow.

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = (id: unknown, name: string, given: object = {}, _meta?: object) => ({
  jsonrpc: '2.0',
  id,
  ...tool(name, given, _meta && { _meta }),
});

interface Reply {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

const children: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
});

const everywire = (app: string) => `exec ${process.execPath} dist/bin/everywire.js mcp test/apps/${app}.ts`;

/** A server whose output is read on demand. */
function start({ app = 'slow-reader', env = {}, shell = '$', reads = false } = {}) {
  const child = spawn('bash', ['-c', shell.replace('$', () => everywire(app))], { env: { ...process.env, ...env } });
  children.push(child);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {});
  const chunks: Buffer[] = [];
  const size = () => chunks.reduce((sum, { length }) => sum + length, child.stdout.readableLength);
  // Every line must be a message, whatever the app prints.
  const said = () => {
    const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Reply);
  };
  const server = {
    child,
    ended: once(child, 'close') as Promise<[code: number | null]>,
    size,
    said,
    stderr: () => stderr,
    resultOf: (id: unknown) => said().find((reply) => reply.id === id)?.result?.structuredContent as unknown,
    /** Sends all messages in one write, so that the server reads them together. */
    send(...messages: (object | string | Buffer)[]) {
      const parts = messages.map((message) =>
        Buffer.isBuffer(message)
          ? message
          : Buffer.from(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
      );
      child.stdin.write(Buffer.concat(parts));
    },
    /** Waits until so many bytes have arrived, although nothing is read. */
    async received(bytes: number) {
      const noop = () => {};
      child.stdout.on('readable', noop);
      await expect.poll(size, { timeout: 30_000 }).toBeGreaterThanOrEqual(bytes);
      child.stdout.off('readable', noop);
    },
    /** Reads everything, with a pause after each chunk. */
    read(pause = 0) {
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (pause === 0) return;
        child.stdout.pause();
        setTimeout(() => child.stdout.resume(), pause);
      });
    },
    async until(isIt: (reply: Reply) => boolean) {
      await expect.poll(() => said().some(isIt), { timeout: 30_000 }).toBe(true);
    },
    /** Ends the input, and expects that the server ends by itself. */
    async finish() {
      child.stdin.end();
      expect(await server.ended).toEqual([0, null]);
    },
  };
  if (reads) server.read();
  return server;
}

const BIG = 2_000_000;
/** Bytes after which the big response must have begun. */
const BEGUN = 10_000;

describe.concurrent('output', () => {
  it.each([
    ['a socket, as hosts give it', '$'],
    ['a pipe', '$ | cat'],
    ['a file', 'f=`mktemp`; ($) > "$f"; cat "$f"; rm "$f"'],
  ])(proves('mcp.stdio', 'into %s: nothing but messages, whatever is printed'), async (_where, shell) => {
    const server = start({ app: 'mcp', shell, reads: true });
    server.send(INITIALIZE, call(1, 'Noise'), call(2, 'Length', { text: 'a' }));
    await server.finish();
    expect(server.resultOf(1)).toEqual({ result: 'ok' });
    expect(server.said()).toHaveLength(3);
    for (const noise of ['console.log', 'stdout', 'a child']) expect(server.stderr()).toContain(`noise from ${noise}`);
  });

  it.runIf(process.platform === 'linux')(proves('mcp.stdio', 'a socket is moved without another process'), async () => {
    const server = start({ app: 'mcp', reads: true });
    server.send(INITIALIZE);
    await server.until(({ id }) => id === 0);
    const { pid } = server.child;
    const link = (fd: number) => readlinkSync(`/proc/${pid}/fd/${fd}`);
    expect(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')).toBe('');
    expect(link(1)).toBe(link(2));
    await server.finish();
  });
});

it(proves('mcp.stdio', 'invalid input is refused, and everything else gets a response before the end'), async () => {
  const server = start({ reads: true });
  const [before, after] = JSON.stringify(call(3, 'Echo', { text: '*' })).split('*') as [string, string];
  const many = Array.from({ length: 200 }, (_, i) => call(i + 10, 'Echo', { text: 'x'.repeat(2000) }));
  server.send(
    INITIALIZE,
    'not JSON\n',
    '[{"jsonrpc":"2.0","id":9,"method":"ping"}]\n',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}\n',
    '{"id":3,"method":"ping"}\n',
    '\n',
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}\n`,
    call(1, 'Echo', { text: 'x'.repeat(10_000_000) }),
    call(2, 'Echo', { text: 'x'.repeat(3_000_000) }),
    ...many,
    // Invalid UTF-8, at once and in a later chunk; U+FFFD itself is valid.
    before,
    Buffer.from([0xff, 0xfe]),
    `${after}\n${before}${'x'.repeat(20_000)}`,
    Buffer.from([0xc3]),
    `${after}\n`,
    call(4, 'Echo', { text: '\ufffd' }),
    // The last request needs no newline.
    JSON.stringify(call(5, 'Echo', { text: 'last' })),
  );
  await server.finish();
  const codes = server.said().flatMap(({ error }) => error?.code ?? []);
  expect(codes).toEqual([-32700, -32600, -32600, -32600, -32600, -32600, -32700, -32700]);
  expect(server.resultOf(2)).toEqual({ result: 'x'.repeat(3_000_000) });
  expect([server.resultOf(4), server.resultOf(5)]).toEqual([{ result: '\ufffd' }, { result: 'last' }]);
  expect(server.said()).toHaveLength(codes.length + many.length + 4);
});

describe.concurrent('the end', () => {
  const end = ({ child }: ReturnType<typeof start>, signal?: NodeJS.Signals) =>
    signal ? child.kill(signal) : child.stdin.end();

  it.each([['the input ends'], ['SIGTERM', 'SIGTERM']] as const)(
    proves('mcp.stdio', 'after %s, a slow reader gets everything'),
    async (_when, signal?: 'SIGTERM') => {
      const server = start({ env: { DRAIN: '1500' } });
      server.send(INITIALIZE, call(1, 'Big', { length: BIG }));
      server.read(50);
      await expect.poll(server.size, { timeout: 30_000 }).toBeGreaterThan(BEGUN);
      // In total this takes longer than the limit, but each read comes in time.
      end(server, signal);
      expect(await server.ended).toEqual([0, null]);
      expect(server.resultOf(1)).toEqual({ result: 'x'.repeat(BIG) });
    },
  );

  it(proves('mcp.stdio', 'a reader that stops is given up, with a message and exit code 1'), async () => {
    const server = start({ env: { DRAIN: '500' } });
    server.send(INITIALIZE, call(1, 'Big', { length: BIG }));
    await server.received(BEGUN);
    server.child.stdin.end();
    expect(await once(server.child, 'exit')).toEqual([1, null]);
    server.child.stdout.resume();
    await server.ended;
    expect(server.stderr()).toContain('stopped reading');
  });

  it(proves('mcp.stdio', 'a call that does not end in time gets an error, and the exit code is 1'), async () => {
    const server = start({ env: { DRAIN: '300' }, reads: true });
    server.send(INITIALIZE, call(1, 'Never'), call(2, 'Never', {}, { progressToken: 1 }));
    server.child.stdin.end();
    expect(await server.ended).toEqual([1, null]);
    expect(server.stderr()).toContain('2 of the calls in progress did not end in time');
    const answered = server.said().filter(({ id }) => id === 1 || id === 2);
    expect(answered.map(({ error }) => error?.code)).toEqual([-32603, -32603]);
  });

  it(proves('mcp.stdio', 'while it stops, new requests are refused and accepted ones are completed'), async () => {
    const server = start({ reads: true });
    server.send(INITIALIZE, call(1, 'Wait', { ms: 1500 }));
    await server.until(({ id }) => id === 0);
    server.child.kill('SIGTERM');
    // Until the signal has arrived, requests are accepted.
    for (let id = 2; !server.said().some(({ error }) => error); id++) {
      server.send(call(id, 'Echo', { text: 'late' }));
      await server.until((reply) => reply.id === id);
    }
    expect(await server.ended).toEqual([0, null]);
    expect(server.resultOf(1)).toEqual({ result: 1500 });
    expect(server.said().find(({ error }) => error)?.error?.message).toContain('about to stop');
  });

  const params = { notifications: { toolsListChanged: true }, _meta: META };
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params };
  it.each([
    [
      'an elicitation that cannot be answered any more',
      [INITIALIZE, initialized, call(1, 'Ask')],
      'elicitation/create',
    ],
    ['a subscription', [listen], 'notifications/subscriptions/acknowledged'],
  ])(proves('mcp.stdio', '%s gets its response, and does not delay the end'), async (_what, sent, begun) => {
    const server = start({ env: { DRAIN: '1000000' }, reads: true }); // longer than this test may take
    server.send(...sent);
    await server.until(({ method }) => method === begun);
    await server.finish();
    expect(server.said().filter(({ id, method }) => id === 1 && method === undefined)).toHaveLength(1);
  });

  it(proves('mcp.stdio', 'a function may destroy or read process.stdin'), async () => {
    const server = start({ reads: true });
    server.send(INITIALIZE, call(1, 'CloseInput'));
    await server.until(({ id }) => id === 1);
    server.send(call(2, 'Echo', { text: 'still here' }));
    await server.finish();
    expect(server.resultOf(2)).toEqual({ result: 'still here' });
  });
});

it(proves('mcp.stdio', 'while a reader stalls, log messages are dropped, and responses are not'), async () => {
  const server = start();
  const meta = { progressToken: 'p' };
  server.send(INITIALIZE, call(1, 'Chatter', { megabytes: 16, id: 'it' }, meta), call(2, 'Echo', { text: 'x' }));
  await expect.poll(server.stderr, { timeout: 30_000 }).toContain('it has logged');
  server.read();
  await server.finish();
  expect([server.resultOf(1), server.resultOf(2)]).toEqual([{ result: 16 }, { result: 'x' }]);
  // Everything that was kept is written in the end.
  expect(server.size()).toBeLessThan(8_000_000);
});
