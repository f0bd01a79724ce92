import { apiKeys, jwt } from 'everywire/access';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { appWith } from './ask.ts';
import type { Asked } from './ask.ts';
import { forgeriesFor } from './forgeries.ts';
import type { Forgery } from './forgeries.ts';
import { AUDIENCE, base64, createKey, startIssuer } from './issuer.ts';
import type { Issuer } from './issuer.ts';

const ec = createKey('ec');
const rsa = createKey('rsa', 'RS256');
let issuer: Issuer;
let app: Asked;
let forgeries: Forgery[];
beforeAll(async () => {
  issuer = await startIssuer(ec, rsa);
  app = appWith(apiKeys({ keys: {} }), jwt({ issuer: issuer.url, audience: AUDIENCE }));
  forgeries = forgeriesFor(issuer, ec, rsa);
});
afterAll(() => issuer[Symbol.asyncDispose]());

it(proves('access.forged', 'no forged or mutated token is accepted'), async () => {
  // Otherwise the rest would prove nothing. Now it is also one of those that are kept.
  for (const key of [ec, rsa]) expect(await app.ask(issuer.token({}, {}, key))).toHaveProperty('principal');
  expect(forgeries.length).toBeGreaterThanOrEqual(60);
  expect(new Set(forgeries.map(({ title }) => title)).size).toBe(forgeries.length);
  for (const { title, token } of forgeries) {
    const answer = await app.ask(token);
    expect(answer, title).toMatchObject({ code: 'UNAUTHENTICATED' });
    // In words of our own, which do not repeat what was sent.
    expect(answer.message, title).toMatch(/^Invalid credentials: [\w ]+$/);
  }
  // That a token is wrong is not a failure of the app.
  expect(app.logged).toEqual([]);
});

it('nor is any other that differs from a good one in one character', async () => {
  const good = issuer.token();
  await app.ask(good);
  // Bits of the last character of each part that are not used may differ: then it has the same bytes, and is the same token.
  const bytesOf = (token: string) =>
    token
      .split('.')
      .map((part) => base64(Buffer.from(part, 'base64url')))
      .join('.');
  const positions = Array.from({ length: 150 }, (_, i) => Math.floor((i * good.length) / 150));
  for (const at of [...positions, good.length - 1]) {
    for (const character of ['A', '-', '.', '/', '=']) {
      const mutated = good.slice(0, at) + character + good.slice(at + 1);
      if (mutated === good || bytesOf(mutated) === bytesOf(good)) continue;
      expect(await app.ask(mutated), mutated).toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  }
  expect(app.logged).toEqual([]);
});
