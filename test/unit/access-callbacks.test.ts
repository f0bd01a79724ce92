import { createApp, defineFunction } from 'everywire';
import type { AppOptions } from 'everywire';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Credentials } from '../../src/core/credentials.ts';
import type { CredentialParts } from '../../src/core/credentials.ts';
import { PATH, SECRET, ways } from '../callbacks/ways.ts';
import type { Way } from '../callbacks/ways.ts';
import { proves } from '../promises.ts';

const text = { type: 'string', description: 'Text' } as const;
const fine = { id: 'fine', kind: 'test', scopes: [], claims: {} };
const always = { name: 'always', scheme: 'either', authenticate: () => fine } as const;

interface Place {
  readonly name: string;
  readonly parts?: CredentialParts;
  readonly options: (call: any) => Partial<AppOptions>;
  readonly answers: (way: Way) => string;
}

const isUndefined = ({ title }: Way) => title === 'returns undefined';
const guarded = (scopes?: any) =>
  defineFunction({ name: 'F', description: 'F', output: text, ...(scopes && { scopes }), run: () => 'in' });

/** Every callback of the access rules. Nonsense lets nobody in. */
const places: readonly Place[] = [
  {
    name: 'Authenticator.authenticate',
    options: (authenticate) => ({ access: { authenticators: [{ ...always, authenticate }] } }),
    answers: (way) => (isUndefined(way) ? 'UNAUTHENTICATED' : 'UNAVAILABLE'),
  },
  {
    name: 'AccessOptions.user',
    parts: { user: { name: 'ada', type: 'Basic' } },
    options: (user) => ({ access: { user } }),
    answers: (way) => (isUndefined(way) ? 'UNAUTHENTICATED' : 'UNAVAILABLE'),
  },
  {
    name: 'AccessOptions.policy',
    options: (policy) => ({ access: { authenticators: [always], policy } }),
    answers: (way) => {
      if (way.kind === 'nonsense') return isUndefined(way) ? 'OK' : 'FORBIDDEN';
      return way.kind === 'hangs' ? 'TIMEOUT' : 'INTERNAL_ERROR';
    },
  },
  {
    name: 'DeclaredScopes',
    options: (scopes) => ({ access: { authenticators: [always] }, functions: [guarded(scopes)] }),
    answers: () => 'INTERNAL_ERROR',
  },
];

afterEach(() => void vi.useRealTimers());

for (const { name, parts = { bearer: 'token' }, options, answers } of places) {
  describe(name, () => {
    it.each(ways)(proves('access.closed', '$title'), async (way) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const logged: string[] = [];
      const log = { debug() {}, info() {}, warn() {}, error: (message: string) => void logged.push(message) };
      const app = createApp({
        name: 'A',
        version: '1',
        errors: 'masked',
        log,
        functions: [guarded()],
        ...(options(way.call) as object),
      } as never);
      const credentials = new Credentials(parts);
      const answered = Promise.resolve(
        app.respond({ name: 'F', caller: { wire: 'test' }, credentials } as never, 'plain'),
      );
      await vi.advanceTimersByTimeAsync(60_000);
      const { outcome, body } = await answered;
      const code = outcome.ok ? 'OK' : outcome.error.code;
      expect(code).toBe(answers(way));
      expect(body).not.toContain(SECRET);
      expect(body).not.toContain(PATH);
      // A caller that is unknown, or refused by the policy, is no mistake of the app.
      if (code === 'UNAVAILABLE' || code === 'INTERNAL_ERROR') expect(logged).not.toEqual([]);
    });
  });
}
