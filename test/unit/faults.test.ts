import { createApp, defineFunction } from 'everywire';
import type { App, RegisteredFunction } from 'everywire';
import { describe, expect, it } from 'vitest';
import { createHttpWire } from '../../src/wires/http/wire.ts';
import { proves } from '../promises.ts';
import { logOf, throwing } from '../kit/parts.ts';

function appWith(log: ReturnType<typeof logOf>, errors: 'shown' | 'masked' = 'shown') {
  const input = { type: 'object', properties: { a: { description: 'A' } } } as const;
  const output = { description: 'Any' };
  const f = defineFunction({ name: 'F', description: 'F', input, output, run: ({ a }) => a });
  return createApp({ name: 'Faulty', version: '1', log, errors, functions: [f] });
}

/** Simulates a bug of our own: a part of a registered function throws. */
function breaking(app: App, part: keyof RegisteredFunction) {
  Object.assign(app.find('F')!, { [part]: throwing(new TypeError('our own bug')) });
}

describe('a bug of our own is logged, and not blamed on the caller:', () => {
  for (const part of ['admit', 'release', 'parse'] as const)
    for (const errors of ['shown', 'masked'] as const)
      it(proves('failure.faults', `${part}, ${errors}`), async () => {
        const log = logOf();
        const app = appWith(log, errors);
        breaking(app, part);
        const outcome = await app.call('F', { a: 1 });
        expect(outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
        expect(log.error).toHaveBeenCalledOnce();
        const [message, fields] = log.error.mock.calls[0] as [string, { stack: string; errorId: string }];
        expect(message).toBe('our own bug');
        expect(fields.stack).toContain('TypeError: our own bug');
        expect(!outcome.ok && outcome.error.message).toBe(
          errors === 'shown' ? 'our own bug' : `Something went wrong (error id ${fields.errorId})`,
        );
      });

  it('in the HTTP wire', async () => {
    const log = logOf();
    const app = appWith(log);
    const broken = { ...app, respond: throwing(new Error('the wire broke')) };
    const wire = createHttpWire(broken as never);
    const reply = await wire.handle({ method: 'POST', target: '/functions/F', headers: {}, body: new Uint8Array() });
    expect(reply).toMatchObject({ status: 500, body: '{"error":"the wire broke"}' });
    expect(log.error.mock.calls[0]?.[1]).toMatchObject({
      part: 'http',
      stack: expect.stringContaining('the wire broke'),
    });
  });
});

describe("an input that cannot be read is the caller's mistake:", () => {
  const inputs: Record<string, () => unknown> = {
    'a Proxy': () => new Proxy({}, { ownKeys: throwing(new Error('trap')) }),
    'a getter': () => ({
      get a() {
        throw new Error('trap');
      },
    }),
  };
  for (const [title, input] of Object.entries(inputs))
    it(title, async () => {
      const log = logOf();
      const outcome = await appWith(log).call('F', input() as never);
      expect(outcome).toMatchObject({ error: { code: 'INVALID_ARGUMENTS', message: /cannot be read/ } });
      expect(log.error).not.toHaveBeenCalled();
    });
});

it('an invalid signal is a failed outcome', async () => {
  const log = logOf();
  expect(await appWith(log).call('F', {}, { signal: {} as never })).toMatchObject({
    error: { code: 'INTERNAL_ERROR', message: 'signal must be an AbortSignal' },
  });
  expect(await appWith(log).call(Symbol('x') as never, {} as never)).toMatchObject({ ok: false });
});

it('a log without its functions is refused when the app is created', () => {
  expect(() => createApp({ name: 'A', version: '1', functions: [], log: {} as never })).toThrow(
    'log must have the functions debug, info, warn and error',
  );
});
