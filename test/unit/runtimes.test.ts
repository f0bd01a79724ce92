import { createHash, randomBytes } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';

const text = 'a key, ü, 🔑';
const expected = createHash('sha256').update(text).digest('hex');

afterEach(() => void vi.unstubAllGlobals());

/** As in a runtime that has this of Node. */
async function load(getBuiltinModule?: (name: string) => unknown) {
  vi.resetModules();
  vi.stubGlobal('process', getBuiltinModule && { getBuiltinModule });
  const { sha256 } = await import('../../src/access/sha256.ts');
  vi.unstubAllGlobals();
  return sha256;
}

it('is the same in every runtime', async () => {
  const builtin = process.getBuiltinModule;
  expect((await load(builtin))(text)).toBe(expected);
  expect((await load(() => ({ createHash })))(text)).toBe(expected);
  const web = (await load())(text);
  expect(web).toBeInstanceOf(Promise);
  expect(await web).toBe(expected);
});

it('API keys work where hashing takes a promise', async () => {
  await load();
  vi.stubGlobal('process', undefined);
  const { apiKeys, Credentials } = await import('everywire/access');
  vi.unstubAllGlobals();
  const keys = apiKeys({ keys: { [`sha256:${expected}`]: { id: 'ci' } } });
  const report = (thrown: unknown) => expect.fail(String(thrown));
  expect(await keys.authenticate(new Credentials({ apiKey: text }), report)).toMatchObject({ id: 'ci' });
  expect(await keys.authenticate(new Credentials({ apiKey: 'x' }), report)).toHaveProperty('rejected');
  expect(await keys.authenticate(new Credentials({ bearer: 'x' }), report)).toBeUndefined();
});

it('base64 is the same where there is no Buffer', async () => {
  const bytes = randomBytes(30_000);
  vi.resetModules();
  vi.stubGlobal('Buffer', undefined);
  const { fromBase64, toBase64 } = await import('../../src/schema/base64.ts');
  vi.unstubAllGlobals();
  for (const length of [0, 1, 2, 3, 30_000]) {
    const part = bytes.subarray(0, length);
    expect(toBase64(part)).toBe(part.toString('base64'));
    expect(fromBase64(part.toString('base64'))).toEqual(new Uint8Array(part));
  }
});
