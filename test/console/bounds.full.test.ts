import { appendFileSync, existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { createApp } from 'everywire';
import { custom } from 'everywire/access';
import type { AuditRecord } from '../../src/audit/record.ts';
import { createConsole } from '../../src/console-server/create-console.ts';
import { toEntry } from '../../src/console-server/record-entry.ts';
import { RecordFileReader } from '../../src/console-server/record-file-reader.ts';
import { RecordStream } from '../../src/console-server/record-stream.ts';
import { runBounded } from '../../src/console-server/run-bounded.ts';
import { recordFileOf, reportRecords } from '../../src/load/record-file.ts';
import { proves } from '../promises.ts';
import { fn } from '../kit/functions.ts';
import { startServing } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { isRunning } from '../cluster/calling.ts';

const record = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  time: '2026-01-01T12:00:00.000Z',
  operationId: 'functions.One',
  wire: 'http',
  requestId: 'r',
  code: 'OK',
  duration: 1,
  bytes: 2,
  repairs: [],
  violations: [],
  ...more,
});

const app = () => createApp({ name: 'App', version: '1.0.0', functions: [fn('One', {}, () => {})] });

describe('a record that is kept', () => {
  it(proves('console.live', 'is short, whatever the caller sent'), () => {
    const long = 'x'.repeat(1_000_000);
    const repairs = Array.from({ length: 100 }, () => ({ pointer: '/'.repeat(300), did: 'text to JSON' as const }));
    for (const hostile of [
      record({ operationId: long }),
      record({ code: long }),
      record({ arguments: { long } }),
      record({ repairs }),
      record({ principal: { id: long, kind: long } }),
      record({ operationId: '\uD800'.repeat(300) }),
    ])
      expect(toEntry(hostile).length).toBeLessThan(5000);
    expect(JSON.parse(toEntry(record({ arguments: { password: '[redacted]' } })))).toMatchObject({
      arguments: { password: '[redacted]' },
    });
  });
});

/** What is sent next to a page. */
async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const [, data = ''] = /^data: (.*)$/m.exec(new TextDecoder().decode((await reader.read()).value)) ?? [];
  return JSON.parse(data) as { readonly records: readonly AuditRecord[]; readonly skipped: number };
}

describe('the stream of records', () => {
  it(proves('console.live', 'keeps the last 500, and lets 16 pages watch'), async () => {
    const served: any = app();
    const stream = new RecordStream(served);
    stream.begin();
    for (let i = 0; i < 1000; i++) served.records.emit(record({ duration: i }));
    const replies = Array.from({ length: 17 }, () => stream.reply({} as never, async () => true));
    expect(replies.map((reply) => ('status' in reply ? reply.status : reply.error.code))).toEqual([
      ...Array.from({ length: 16 }, () => 200),
      'UNAVAILABLE',
    ]);
    const [first] = replies as { body: ReadableStream<Uint8Array> }[];
    const { records } = await nextOf(first!.body.getReader());
    expect([records.length, records[0]?.duration, records.at(-1)?.duration]).toEqual([500, 500, 999]);
    await stream.close();
    expect(served.records.isObserved).toBe(false);
  });

  it(proves('console.live', 'counts what a page does not read'), async () => {
    const served: any = app();
    const stream = new RecordStream(served);
    const { body } = stream.reply({} as never, async () => true) as { body: ReadableStream<Uint8Array> };
    for (let i = 0; i < 5000; i++) served.records.emit(record());
    const reader = body.getReader();
    await reader.read(); // what was kept: nothing
    const sent = await nextOf(reader);
    expect([sent.skipped, sent.records.length]).toEqual([4800, 200]);
    await stream.close();
  });

  it(proves('console.safe', 'ends when the credential does'), async () => {
    let isValid = true;
    const watcher = { id: 'watcher', scopes: ['everywire:console'] };
    const guarded = createApp({
      name: 'App',
      version: '1.0.0',
      functions: [fn('One', { scopes: [] }, () => {})],
      access: { authenticators: [custom('ours', ({ bearer }) => (bearer === 'x' && isValid ? watcher : undefined))] },
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const served = createConsole(guarded as never, {}, () => false);
      const headers = { authorization: 'Bearer x' };
      const request = { method: 'GET', target: '/console/api/events', headers, body: new Uint8Array() };
      const reply = (await served.handle('/console/api/events', request)) as { body: ReadableStream<Uint8Array> };
      let isOpen = true;
      const ended = (async () => {
        for await (const _ of reply.body);
        isOpen = false;
      })();
      await vi.advanceTimersByTimeAsync(90_000);
      expect(isOpen).toBe(true);
      isValid = false;
      await vi.advanceTimersByTimeAsync(30_000);
      await ended;
      await served.close();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('records of other processes', () => {
  it(proves('console.live', 'are read once each, whatever else is in the file, and the file is removed'), async () => {
    vi.stubEnv('XDG_CACHE_HOME', temporaryFolder('records'));
    try {
      const found: string[] = [];
      const reader = new RecordFileReader('/some/module.ts', ({ code }) => found.push(code));
      const file = recordFileOf('/some/module.ts');
      await expect.poll(() => existsSync(file)).toBe(true);
      const good = (code: string) => JSON.stringify(record({ code }));
      const broken = [{ principal: { id: 7 } }, { repairs: {} }].map((one) => JSON.stringify({ ...record(), ...one }));
      const lines = ['null', '{', '[]', '{"time":1}', ...broken, good('FIRST'), '\uFFFD'.repeat(10)];
      // It may not have been looked at yet: what is there at first is old. So it is appended until one is found, and more may follow.
      await expect
        .poll(() => {
          if (found.length === 0) appendFileSync(file, `${lines.join('\n')}\n`);
          return found.at(-1);
        })
        .toBe('FIRST');
      appendFileSync(file, `${good('SECOND')}\n${good('HALF').slice(0, 20)}`);
      await expect.poll(() => found.at(-1)).toBe('SECOND');
      appendFileSync(file, `${good('HALF').slice(20)}\n`);
      await expect.poll(() => found.at(-1)).toBe('HALF');
      expect(found.filter((code) => code !== 'FIRST')).toEqual(['SECOND', 'HALF']);
      await reader.close();
      expect(existsSync(file)).toBe(false);
      // A server that was killed leaves its file, of which nobody says any more that it is read.
      writeFileSync(file, '');
      utimesSync(file, Date.now() / 1000 - 120, Date.now() / 1000);
      const left = createApp({ name: 'App', version: '1', functions: [] });
      reportRecords(left as never, '/some/module.ts');
      (left as never as { records: { emit(one: AuditRecord): void } }).records.emit(record());
      expect(existsSync(file)).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a process for a comparison', () => {
  const node = (code: string) => ({ command: [process.execPath, '-e', code] as const, variables: {}, stdin: '' });
  const { signal } = new AbortController();

  it(proves('console.safe', 'ends if it writes too much'), async () => {
    const flood = 'const more = () => process.stdout.write("x".repeat(65536), more); more()';
    expect(await runBounded(node(flood), signal)).toEqual({ problem: 'more than 16777216 bytes' });
  });

  it(proves('console.safe', 'that cannot be started, or that nobody waits for, is a problem'), async () => {
    const missing = { command: ['/no/such/program'] as const, variables: {}, stdin: '' };
    expect(await runBounded(missing, signal)).toHaveProperty('problem');
    const endless = node('setInterval(() => {}, 1000)');
    expect(await runBounded(endless, AbortSignal.timeout(100))).toHaveProperty('problem');
  });

  it(proves('console.safe', 'does not inherit the token of the server'), async () => {
    vi.stubEnv('EVERYWIRE_TOKEN', 'of-the-server');
    const run = node('process.stdout.write(String(process.env.EVERYWIRE_TOKEN))');
    const ended = await runBounded(run, signal);
    vi.unstubAllEnvs();
    expect(ended).toMatchObject({ stdout: 'undefined' });
  });

  it(proves('console.safe', 'ends when the server stops'), async () => {
    const folder = (process.env['HANG_FOLDER'] = temporaryFolder('console-hang'));
    const server = await startServing('test/apps/console.ts'); // with this variable, and it is stopped
    delete process.env['HANG_FOLDER'];
    const request = { method: 'POST', body: '{"function":"Hang","input":{}}' };
    const comparing = fetch(`${server.url}/console/api/compare`, request).catch(() => {});
    await expect.poll(() => readdirSync(folder).length, { timeout: 15_000 }).toBe(8);
    await server.stop();
    await comparing;
    await expect.poll(() => readdirSync(folder).filter((pid) => isRunning(Number(pid)))).toEqual([]);
  });
});
