import { createApp, defineResource, Failure, type AppOptions, type Context } from 'everywire';
import { describe, expect, it, vi } from 'vitest';
import { proves } from '../promises.ts';
import { fn, integer, object, record } from '../kit/functions.ts';
import { logOf, problemsOf, throwing } from '../kit/parts.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An app that records when its hooks and its functions run. */
function recorded(options: Partial<AppOptions> = {}) {
  const steps: string[] = [];
  const log = logOf();
  const waiting = fn('Wait', { input: object({ ms: integer }, []), output: record }, async ({ ms = 0 }, { deps }) => {
    if (ms > 0) await wait(ms);
    steps.push('call');
    return { ...deps };
  });
  const read = (_variables: object, { deps }: Context) => ({ deps });
  const app = createApp({
    name: 'Recorded',
    version: '1',
    log,
    limits: { drain: 200, timeout: 200 },
    functions: [waiting],
    resources: [defineResource({ uri: 'r:1', name: 'r', description: 'r', read })],
    start: () => ({ db: steps.push('start') }),
    stop: (deps) => void steps.push(`stop ${JSON.stringify(deps)}`),
    ...options,
  });
  return { app, steps, log };
}

describe('start', () => {
  it(proves('lifecycle.once', 'runs with the first call, and what it returns is in the context'), async () => {
    const { app, steps } = recorded();
    expect(steps).toEqual([]);
    const outcomes = await Promise.all([app.call('Wait'), app.call('Wait', { ms: 1 }), app.call('Wait')]);
    expect(outcomes).toEqual(outcomes.map(() => ({ ok: true, data: { db: 1 } })));
    expect(steps).toEqual(['start', 'call', 'call', 'call']);
  });

  it(proves('lifecycle.once', 'is shared by functions and resources'), async () => {
    const { app, steps } = recorded();
    const [{ outcome }] = await Promise.all([app.resources.respond({ name: 'r', input: {} }), app.call('Wait')]);
    expect(outcome).toMatchObject({ ok: true, data: { text: '{"deps":{"db":1}}' } });
    expect(steps.filter((step) => step === 'start')).toHaveLength(1);
  });

  it(proves('lifecycle.once', 'does not run for what needs no user code'), async () => {
    const { app, steps } = recorded();
    expect(await app.call('Wait', { ms: 'x' as never })).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
    expect(await app.call('Nothing' as never)).toMatchObject({ error: { code: 'FUNCTION_NOT_FOUND' } });
    for (const path of ['/openapi.json', '/healthz', '/nothing'])
      await (await app.fetch(new Request(`http://localhost${path}`))).text();
    expect(await app.close()).toBe(true);
    expect(steps).toEqual([]);
  });

  it(proves('lifecycle.start', 'gets the environment of whoever starts the app'), async () => {
    const { app } = recorded({
      start: ({ env, files, log }) => ({
        a: Object.entries(env.list()),
        at: files.currentDirectory,
        log: typeof log.info,
      }),
    });
    const data = { a: [['A', '1']], at: '/', log: 'function' };
    expect(await app.call('Wait', {}, { env: { A: '1', B: process.env['ABSENT_X'] } })).toMatchObject({ data });
    const early = recorded({ start: ({ env }) => ({ a: env.get('A') }) }).app;
    expect(await early.start({ env: { A: '2' } })).toBe(true);
    expect(await early.start({ env: { A: '3' } })).toBe(false);
    expect(await early.call('Wait', {}, { env: { A: '4' } })).toMatchObject({ data: { a: '2' } });
  });

  it.each([
    ['nothing', () => undefined],
    ['nothing, later', async () => {}],
    ['null', () => null],
  ])(proves('lifecycle.start', 'may return %s'), async (_what, start) => {
    const { app, steps } = recorded({ start: start as never });
    expect(await app.call('Wait')).toEqual({ ok: true, data: {} });
    expect(await app.close()).toBe(true);
    expect(steps).toEqual(['call', 'stop {}']);
  });

  it.each<[string, () => unknown, object]>([
    ['throws', throwing(new Error('no db')), { code: 'INTERNAL_ERROR', message: 'no db' }],
    ['rejects', async () => throwing(new Error('no db'))(), { code: 'INTERNAL_ERROR', message: 'no db' }],
    ['throws nothing', throwing(undefined), { code: 'INTERNAL_ERROR', message: 'Unknown error' }],
    ['returns a string', () => 'db', { code: 'INTERNAL_ERROR', message: 'start must return an object, not a string' }],
    [
      'fails',
      throwing(new Failure('UNAVAILABLE', 'Later', { retryAfter: 5 })),
      { code: 'UNAVAILABLE', message: 'Later', retry: true, retryAfter: 5 },
    ],
  ])(
    proves('lifecycle.fails', 'that %s fails the waiting calls, and the next tries again'),
    async (_how, start, error) => {
      const hook = vi.fn(start);
      const { app, steps, log } = recorded({ start: hook as never });
      const outcomes = await Promise.all([app.call('Wait'), app.call('Wait')]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: false, error });
      expect(hook).toHaveBeenCalledTimes(1);
      expect(steps).toEqual(['stop {}']);
      expect(log.error).toHaveBeenCalledTimes(1);
      expect(log.error.mock.calls[0]?.[1]).toMatchObject({ part: 'start' });
      hook.mockReturnValueOnce({ db: 'again' });
      expect(await app.call('Wait')).toEqual({ ok: true, data: { db: 'again' } });
      expect(await app.close()).toBe(true);
      expect(steps).toEqual(['stop {}', 'call', 'stop {"db":"again"}']);
    },
  );

  it(proves('lifecycle.fails', 'is masked like any other error'), async () => {
    const { app, log } = recorded({ errors: 'masked', start: throwing(new Error('postgres://user:secret@db')) });
    const outcome = await app.call('Wait');
    expect(JSON.stringify(outcome)).toMatch(/Something went wrong \(error id /);
    const expected = [expect.stringContaining('secret'), expect.objectContaining({ stack: expect.any(String) })];
    expect(log.error.mock.calls[0]).toEqual(expected);
  });

  it(proves('lifecycle.fails', 'rejects app.start() with what it threw'), async () => {
    const thrown = new Error('no db');
    const { app, steps } = recorded({ start: throwing(thrown) });
    await expect(app.start()).rejects.toBe(thrown);
    expect(steps).toEqual(['stop {}']);
  });

  it(proves('lifecycle.fails', 'that calls the app waits for itself until the time limit, and runs once'), async () => {
    let starts = 0;
    const { app } = recorded({ start: async () => (starts++, { inner: await app.call('Wait') }) });
    expect(await app.start()).toBe(true);
    expect(starts).toBe(1);
    expect(await app.call('Wait')).toMatchObject({ ok: true, data: { inner: { error: { code: 'TIMEOUT' } } } });
  });

  it(proves('lifecycle.fails', 'that hangs counts against the time limit of the call'), async () => {
    let finish!: (deps: object) => void;
    const { app, steps } = recorded({ start: () => new Promise<object>((resolve) => (finish = resolve)) });
    expect(await app.call('Wait')).toMatchObject({ error: { code: 'TIMEOUT' } });
    const second = app.call('Wait');
    finish({ db: 'late' });
    expect(await second).toEqual({ ok: true, data: { db: 'late' } });
    expect(steps).toEqual(['call']); // the first call, which was answered, does not run
  });
});

describe('stop', () => {
  it(proves('lifecycle.once', 'runs once, after the calls under way; new ones are refused'), async () => {
    const { app, steps } = recorded();
    const running = app.call('Wait', { ms: 50 });
    await wait(10);
    const stopped = app.close();
    expect(await app.call('Wait')).toMatchObject({ error: { code: 'UNAVAILABLE', retry: true, retryAfter: 1 } });
    expect(await running).toMatchObject({ ok: true });
    expect(await Promise.all([stopped, app.close(), app[Symbol.asyncDispose]()])).toEqual([true, true, undefined]);
    expect(steps).toEqual(['start', 'call', 'stop {"db":1}']);
    expect(await app.call('Wait')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    expect(steps).toHaveLength(3);
  });

  it(proves('lifecycle.once', 'may be followed by another start'), async () => {
    const { app, steps } = recorded();
    await app.start();
    const stopped = app.close();
    expect(await app.start()).toBe(true);
    expect(await stopped).toBe(true);
    expect(await app.call('Wait')).toMatchObject({ ok: true });
    await app.close();
    expect(steps.map((step) => step.slice(0, 5))).toEqual(['start', 'stop ', 'start', 'call', 'stop ']);
  });

  it(proves('lifecycle.once', 'waits for a start under way'), async () => {
    const { app, steps } = recorded({ start: async () => (await wait(30), { db: 'slow' }) });
    const started = app.start();
    await wait(5);
    expect(await app.close()).toBe(true);
    await started;
    expect(steps).toEqual(['stop {"db":"slow"}']);
  });

  it(proves('lifecycle.bounded', 'does not wait for ever for calls'), async () => {
    const { app, steps, log } = recorded({ limits: { drain: 30, timeout: 0 } });
    const running = app.call('Wait', { ms: 1500 });
    await wait(5);
    expect(await app.close()).toBe(false);
    expect(steps).toEqual(['start', 'stop {"db":1}']);
    expect(log.error).toHaveBeenCalledWith('The app stops, although some calls did not end within 30 ms', {
      part: 'stop',
    });
    await running;
  });

  it(proves('lifecycle.bounded', 'does not wait for a start that hangs, and closes what it opens'), async () => {
    let finish!: (deps: object) => void;
    const { app, steps } = recorded({
      limits: { drain: 30 },
      start: () => new Promise<object>((resolve) => (finish = resolve)),
    });
    void app.start();
    expect(await app.close()).toBe(false);
    expect(steps).toEqual([]);
    const finishFirst = finish;
    const again = app.start();
    await vi.waitFor(() => expect(finish).not.toBe(finishFirst));
    finishFirst({ db: 'late' });
    await wait(1);
    expect(steps).toEqual(['stop {"db":"late"}']);
    finish({ db: 'second' });
    await again;
    await app.close();
    expect(steps).toEqual(['stop {"db":"late"}', 'stop {"db":"second"}']);
  });

  it.each([
    ['throws', throwing(new Error('stuck')), 'stuck'],
    ['rejects', async () => throwing(new Error('stuck'))(), 'stuck'],
    ['hangs', () => new Promise(() => {}), 'stop did not end within 200 ms'],
  ])(proves('lifecycle.bounded', 'that %s is logged'), async (_how, stop, message) => {
    const { app, log } = recorded({ stop });
    expect(await app.call('Wait')).toMatchObject({ ok: true });
    expect(await app.close()).toBe(false);
    expect(log.error.mock.calls).toEqual([[message, expect.objectContaining({ part: 'stop' })]]);
  });

  it(proves('lifecycle.once', 'of an app without hooks refuses calls and waits for those under way'), async () => {
    const { app, steps } = recorded({ start: undefined as never, stop: undefined as never });
    expect(app.needsStop).toBe(false);
    expect(await app.start()).toBe(false);
    const running = app.call('Wait', { ms: 30 });
    expect(await app.close()).toBe(true);
    expect(steps).toEqual(['call']);
    expect(await running).toEqual({ ok: true, data: {} });
    expect(await app.call('Wait')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    await app.start();
    expect(await app.call('Wait')).toMatchObject({ ok: true });
  });

  it(proves('lifecycle.once', 'without start runs after the calls'), async () => {
    const { app, steps } = recorded({ start: undefined as never });
    await app.call('Wait');
    await app.close();
    expect(steps).toEqual(['call', 'stop {}']);
  });
});

describe('declared variables', () => {
  const NEEDS = "Recorded needs the variable DB_X (The database): --env DB_X=<value>, or env: { DB_X: '…' } in code";
  const read = fn('Read', { output: record }, (_, { env }) => ({ db: env.get('DB_X') ?? 'none', all: env.list() }));
  const declaring = (options: Partial<AppOptions> = {}) =>
    recorded({
      functions: [read],
      env: {
        DB_X: 'The database.',
        LANG_X: { description: 'Language', default: 'en' },
        NOTE_X: { description: 'N', optional: true },
      },
      ...options,
    });
  const env = { DB_X: 'a.db' };
  const good = { ok: true, data: { db: 'a.db', all: { DB_X: 'a.db', LANG_X: 'en' } } };

  it.each<[string, Partial<AppOptions>]>([
    ['with hooks', {}],
    ['without', { start: undefined as never, stop: undefined as never }],
  ])(
    proves('env.declared', 'fail the first call and app.start, before start runs, until one brings them: %s'),
    async (_, options) => {
      const { app, steps, log } = declaring(options);
      const [failed, called] = await Promise.all([app.call('Read'), app.call('Read', {}, { env })]);
      const expected = [{ ok: false, error: { code: 'INTERNAL_ERROR', message: NEEDS, retry: false } }, good];
      expect([failed, called]).toEqual(expected);
      expect(log.error.mock.calls).toEqual([
        [NEEDS, { code: 'INTERNAL_ERROR', part: 'start', errorId: expect.any(String) }],
      ]);
      await app.close();
      await expect(app.start({})).rejects.toThrow(NEEDS);
      expect(await app.start({ env })).toBe(true);
      await app.start({}); // somebody else, who finds it started
      expect(steps.filter((step) => step === 'start')).toHaveLength(
        options.start === undefined && 'start' in options ? 0 : 2,
      );
      // Started, but not for this call.
      expect(await app.call('Read')).toMatchObject({ error: { code: 'INTERNAL_ERROR', message: NEEDS } });
      await app.close();
    },
  );

  it(proves('env.declared', 'are masked like other errors'), async () => {
    const response = await declaring({ errors: 'masked' }).app.fetch(
      new Request('http://localhost/functions/Read', { method: 'POST' }),
    );
    expect([response.status, await response.text()]).toEqual([500, expect.stringMatching(/error id/)]);
  });

  it(proves('env.declared', 'that are wrong are mistakes of the app'), () => {
    expect(
      problemsOf({
        env: { 'A B': 'x', B: ' ', C: { description: 'c', default: 1, optional: 'yes', defalt: '' }, D: null },
      }),
    ).toEqual([
      'env: invalid name "A B" (only letters, digits and "_")',
      'env: "B" has no description',
      'env: "C": unknown option "defalt" (did you mean "default"?)',
      'env: optional of "C" must be true or false',
      'env: the default of "C" must be a string',
      'env: "D" has no description',
    ]);
    expect(problemsOf({ env: [] })).toEqual(["env must be an object: { DB_FILE: 'What it is' }"]);
  });

  it(proves('env.hint', 'once per variable, also for one with a default'), async () => {
    vi.stubEnv('DB_X', 'secret').stubEnv('LANG_X', 'secret').stubEnv('OTHER_X', 'secret').stubEnv('NOTE_X', '');
    try {
      const names = ['OTHER_X', 'OTHER_X', 'LANG_X', 'NOTE_X', 'DB_X', '__proto__', 'constructor'];
      const all = fn('All', { output: record }, (_, context) => ({
        all: names.map((name) => context.env.get(name) ?? null),
      }));
      const { app, log } = declaring({ functions: [all] });
      for (let i = 0; i < 2; i++)
        expect(await app.call('All', {}, { env })).toMatchObject({
          data: { all: [null, null, 'en', null, 'a.db', null, null] },
        });
      const hint = (name: string) =>
        `${name} is set in this process but was not passed: --env ${name}, or env: { ${name}: process.env.${name} } in code`;
      expect(log.warn.mock.calls).toEqual(['OTHER_X', 'LANG_X'].map((variable) => [hint(variable), { variable }]));
      await expect(app.start({}).then(() => app.close())).resolves.toBe(true);
      await expect(app.start({})).rejects.toThrow(
        'Recorded needs the variable DB_X (The database), which is set in this process but was not passed: --env DB_X,',
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
