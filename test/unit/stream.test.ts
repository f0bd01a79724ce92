import { setTimeout } from 'node:timers/promises';
import { createApp, forms, type AppOptions, type Context, type FunctionDefinition, type Log } from 'everywire';
import { createClient } from 'everywire/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { proves } from '../promises.ts';

const any = { description: 'Anything' };

function appOf(
  run: FunctionDefinition['run'],
  options: Partial<AppOptions & { fn: Partial<FunctionDefinition> }> = {},
) {
  const errors: string[] = [];
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: (message) => errors.push(message) };
  const { fn, ...rest } = options;
  const definition: FunctionDefinition = { name: 'F', description: 'f', output: any, run, ...fn };
  return { errors, app: createApp({ name: 'App', version: '1', functions: [definition], log, ...rest }) };
}

async function* count(to: number) {
  for (let i = 1; i <= to; i++) yield i;
}

async function* of(...values: unknown[]) {
  yield* values;
}

async function read(chunks: AsyncIterable<unknown>, most = Infinity): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const chunk of chunks) if (found.push(chunk) >= most) break;
  return found;
}

describe('app.stream', () => {
  it(proves('stream.chunks', 'reads what a generator yields, and then the outcome'), async () => {
    const { app } = appOf(async function* () {
      yield 1;
      yield { two: [2] };
      return 'end';
    });
    const stream = app.stream('F');
    expect(await read(stream)).toEqual([1, { two: [2] }]);
    expect(await stream.outcome).toEqual({ ok: true, data: 'end' });
    expect(await app.call('F')).toEqual({ ok: true, data: 'end' });
  });

  it.each([
    ['a generator', () => count(3)],
    ['a promise of a generator', async () => count(3)],
    ['an iterable without return', () => ({ [Symbol.asyncIterator]: () => ({ next: nextOf([1, 2, 3]) }) })],
    ['a ReadableStream', () => new Blob(['abc']).stream().pipeThrough(toNumbers())],
  ])(proves('stream.chunks', 'takes %s; the last chunk is the answer if nothing is returned'), async (_name, run) => {
    const { app } = appOf(run);
    const stream = app.stream('F');
    expect((await read(stream)).at(-1)).toBe(3);
    expect(await stream.outcome).toEqual({ ok: true, data: 3 });
  });

  it(proves('stream.chunks', 'has no answer without an output'), async () => {
    const { app } = appOf(() => count(3), { fn: { output: undefined as never } });
    expect(await app.call('F')).toEqual({ ok: true, data: undefined });
  });

  it(proves('stream.chunks', 'checks, prunes and converts chunks like results'), async () => {
    const yields = {
      type: 'object',
      properties: { at: forms.date, n: { type: 'integer' } },
      required: ['n'],
      description: 'Row',
    } as const;
    const at = new Date(0);
    const { app } = appOf(() => of({ at, n: 1, secret: 'x' }, { n: 'two' }), { fn: { yields } });
    const stream = app.stream('F');
    expect(await read(stream)).toEqual([{ at, n: 1 }]);
    const failed = { code: 'INVALID_OUTPUT', message: 'Invalid output: /n: expected integer, got "two"', retry: false };
    expect(await stream.outcome).toEqual({ ok: false, error: failed });
    expect(await app.call('F')).toEqual({ ok: false, error: failed });
  });

  it(proves('build.descriptions', 'requires a description of yields'), () => {
    const fn = { yields: { type: 'integer' } };
    expect(() => appOf(() => count(1), { fn, descriptions: 'required' })).toThrow('yields has no description');
  });
});

describe('backpressure', () => {
  it(proves('stream.slow', 'a generator is at most two chunks ahead of its reader'), async () => {
    let produced = 0;
    const { app } = appOf(async function* () {
      for (; produced < 1000;) yield ++produced;
    });
    let taken = 0;
    for await (const chunk of app.stream('F')) {
      expect(chunk).toBe(++taken);
      if (taken % 100 === 0) await setTimeout(5);
      expect(produced - taken).toBeLessThanOrEqual(2);
    }
    expect(taken).toBe(1000);
  });

  it(proves('stream.bounded', 'a chunk that nobody reads waits no longer than the time limit'), async () => {
    let isClosed = false;
    const { app } = appOf(
      async function* () {
        try {
          yield 1;
          yield 2;
        } finally {
          isClosed = true;
        }
      },
      { limits: { timeout: 50 } },
    );
    const stream = app.stream('F');
    expect(await stream.outcome).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    await expect.poll(() => isClosed).toBe(true);
    expect(await read(stream)).toEqual([1]);
  });

  it(proves('stream.bounded', 'a generator that never waits or ends, ends with the time limit'), async () => {
    const { app } = appOf(
      async function* () {
        for (;;) yield 1;
      },
      { limits: { timeout: 50 } },
    );
    const others = setTimeout(10, 'others run');
    expect(await app.call('F')).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    expect(await others).toBe('others run');
  });
});

describe('cancellation', () => {
  it(proves('stream.leaves', 'leaving the loop runs the finally of the generator'), async () => {
    let hasLeft = () => {};
    const left = new Promise<void>((resolve) => (hasLeft = resolve));
    const { app } = appOf(async function* (_input: unknown, { signal }: Context) {
      try {
        for (let i = 0; ; i++) yield i;
      } finally {
        expect(signal.aborted).toBe(true);
        hasLeft();
      }
    });
    const stream = app.stream('F');
    expect(await read(stream, 3)).toEqual([0, 1, 2]);
    expect(await stream.outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    await left;
    expect(await read(stream)).toEqual([]);
  });

  it(proves('stream.leaves', 'a busy generator ends at its next yield'), async () => {
    const steps: string[] = [];
    const { app } = appOf(async function* () {
      try {
        yield 1;
        await setTimeout(30);
        steps.push('worked');
        yield 2;
        steps.push('never');
      } finally {
        steps.push('finally');
      }
    });
    const controller = new AbortController();
    const stream = app.stream('F', {}, { signal: controller.signal });
    for await (const _chunk of stream) controller.abort();
    expect(await stream.outcome).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(steps).toEqual([]);
    await expect.poll(() => steps).toEqual(['worked', 'finally']);
  });

  it(proves('stream.leaves', 'errors of finally are logged'), async () => {
    const { app, errors } = appOf(async function* () {
      try {
        for (;;) yield 1;
      } finally {
        // oxlint-disable-next-line no-unsafe-finally -- what happens then is the point
        throw new Error('cannot clean up');
      }
    });
    await read(app.stream('F'), 1);
    await expect.poll(() => errors).toEqual(['cannot clean up']);
  });

  it(proves('stream.leaves', 'closes a generator for which middleware did not wait'), async () => {
    let isClosed = false;
    const { app } = appOf(
      async function* () {
        try {
          for (;;) {
            await setTimeout(1);
            yield 1;
          }
        } finally {
          isClosed = true;
        }
      },
      { middleware: [async (_call, next) => (void next(), setTimeout(5, { ok: true, data: 'other' } as const))] },
    );
    const stream = app.stream('F');
    await read(stream);
    expect(await stream.outcome).toEqual({ ok: true, data: 'other' });
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('errors', () => {
  it.each([
    ['next returns nonsense', () => ({ next: async () => undefined })],
    ['next throws', () => ({ next: () => Promise.reject(new Error('x')) })],
    ['there is no iterator', () => undefined],
  ])(proves('stream.errors', 'an iterable of which %s is an INTERNAL_ERROR'), async (_title, iterator) => {
    const { app } = appOf(() => ({ [Symbol.asyncIterator]: iterator }));
    expect(await app.call('F')).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
  });

  it(proves('stream.errors', 'without such a function, or without arguments, there are no chunks'), async () => {
    const { app } = appOf(() => count(1));
    const stream = app.stream('Nobody' as 'F');
    expect(await read(stream)).toEqual([]);
    expect(await stream.outcome).toMatchObject({ ok: false, error: { code: 'FUNCTION_NOT_FOUND' } });
  });

  it(proves('stream.chunks', 'a function that does not stream has an outcome and no chunks'), async () => {
    const { app } = appOf(() => 1, { fn: { output: { type: 'integer', description: 'n' } } });
    const stream = app.stream('F');
    expect(await read(stream)).toEqual([]);
    expect(await stream.outcome).toEqual({ ok: true, data: 1 });
  });
});

function nextOf(values: readonly unknown[]): () => Promise<IteratorResult<unknown>> {
  const left = [...values];
  return async () => (left.length > 0 ? { done: false, value: left.shift() } : { done: true, value: undefined });
}

const toNumbers = () =>
  new TransformStream<Uint8Array, number>({ transform: (bytes, controller) => controller.enqueue(bytes.length) });

describe('keeping connections alive', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['text/event-stream', ':\n\n', 'event: result\nid: end\ndata: {"result":"end"}\n\n'],
    ['application/x-ndjson', '\n', '{"event":"result","data":{"result":"end"}}\n'],
  ])(proves('stream.chunks', 'proxies see every 15 seconds that it lives: %s'), async (accept, keepAlive, result) => {
    let end = (_value: string) => {};
    const { app } = appOf(() => new Promise<string>((resolve) => (end = resolve)));
    const request = new Request('http://localhost/functions/F', { method: 'POST', headers: { accept } });
    const responded = app.fetch(request);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 30_000 });
    vi.advanceTimersByTime(15_000);
    const response = await responded;
    expect(response.status).toBe(200);
    vi.advanceTimersByTime(15_000);
    end('end');
    expect(await response.text()).toBe(keepAlive + keepAlive + result);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('files that nobody reads', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const headers = { 'content-disposition': 'attachment; filename="a.bin"' };

  /** A file whose body never ends, and whether it was cancelled. */
  async function endless(): Promise<{ readonly file: File; readonly cancelled: () => boolean }> {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => void (isCancelled = true),
    });
    const send = async (input: unknown) =>
      String(input).endsWith('/functions/F') ? new Response(body, { headers }) : new Response(null, { status: 404 });
    const outcome = await createClient('http://localhost', { fetch: send, maxBufferedFile: 5 }).call('F');
    return { file: (outcome as { data: File }).data, cancelled: () => isCancelled };
  }

  it(proves('file.lazy', 'a file that nobody reads for five minutes ends'), async () => {
    const { file, cancelled } = await endless();
    await vi.advanceTimersByTimeAsync(299_000);
    expect(cancelled()).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(cancelled()).toBe(true);
    const reader = file.stream().getReader();
    await reader.read(); // received before
    const expected = { code: 'TIMEOUT', message: 'Nobody read the file for 300 seconds' };
    await expect(reader.read()).rejects.toMatchObject(expected);
  });

  it(proves('file.lazy', 'a file that is read slowly does not end'), async () => {
    const { file, cancelled } = await endless();
    const reader = file.stream().getReader();
    for (let i = 0; i < 5; i++) {
      expect((await reader.read()).value).toHaveLength(10);
      await vi.advanceTimersByTimeAsync(200_000);
    }
    expect(cancelled()).toBe(false);
    await reader.cancel();
    expect([cancelled(), vi.getTimerCount()]).toEqual([true, 0]);
  });
});
