import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiKeys, Credentials } from 'everywire/access';
import type { Principal } from 'everywire';
import { afterEach, expect, it, vi } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const hash = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const bearer = (key: string) => new Credentials({ bearer: key });
const apiKey = (key: string) => new Credentials({ apiKey: key });

const neverReported = (thrown: unknown) => expect.fail(String(thrown));

afterEach(() => void vi.useRealTimers());

/** Without waiting: only the clock is another. */
function later(milliseconds: number) {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + milliseconds });
}

it(proves('access.keys', 'a key is recognised by its hash, in either header'), () => {
  const keys = apiKeys({
    keys: {
      [hash('one')]: { id: '1', scopes: ['read'] },
      [hash('two').toUpperCase().replace('SHA', 'sha')]: { id: '2' },
    },
  });
  const ask = (credentials: Credentials) => keys.authenticate(credentials, neverReported);
  expect(ask(apiKey('one'))).toEqual({ id: '1', kind: 'key', scopes: ['read'], claims: {} });
  expect(ask(bearer('two'))).toMatchObject({ id: '2' });
  // The same object each time, so that what is computed for a principal is computed once.
  expect(ask(bearer('one'))).toBe(ask(apiKey('one')));
  expect(ask(bearer('three'))).toBeUndefined();
  expect(ask(new Credentials({}))).toBeUndefined();
  for (const wrong of ['', 'three', 'On e', 'one ', 'one\0', hash('one'), hash('one').slice(7), '__proto__'])
    expect(ask(apiKey(wrong))).toEqual({ rejected: 'the API key is unknown' });
});

it('what was once unknown, or known, is remembered, and still compared as a whole', () => {
  const keys = apiKeys({ keys: { [hash(`a${'x'.repeat(40)}`)]: { id: 'a' } } });
  const idOf = (key: string) => (keys.authenticate(bearer(key), neverReported) as Principal | undefined)?.id;
  // They end alike, which is how they are looked up.
  const ids = ['a', 'b', '', 'a', 'b', 'ab', 'a'].map((start) => idOf(start + 'x'.repeat(40)));
  expect(ids).toEqual(['a', undefined, undefined, 'a', undefined, undefined, 'a']);
  for (let i = 0; i < 3000; i++) expect(idOf(`unknown-${i}`)).toBeUndefined();
  expect(idOf(`a${'x'.repeat(40)}`)).toBe('a');
});

it('what belongs to a key cannot be changed by a call', () => {
  const keys = apiKeys({ keys: { [hash('one')]: { id: '1', claims: { roles: ['reader'] } } } });
  const principal = keys.authenticate(apiKey('one'), neverReported) as Principal;
  const roles = principal.claims['roles'] as string[];
  expect(() => roles.push('admin')).toThrow(TypeError);
});

it.each([
  [{ 'my-secret-key': { id: 'ci' } }, /the key of "ci" must be "sha256:" and the 64 hexadecimal digits/],
  [{ [hash('')]: { id: 'ci' } }, /the key of "ci" is empty/],
  [{ [hash('a')]: { id: '' } }, /The id of a principal must be a string/],
  [{ [hash('a')]: 'ci' }, /each key needs a principal/],
  [{ [hash('a')]: { id: 'ci', scope: ['read'] } }, /unknown option "scope" \(did you mean "scopes"\?\)/],
  [{ [hash('a')]: { id: 'ci', scopes: ['read write'] } }, /list of strings without spaces/],
  [{ [hash('a')]: { id: '1' }, [`sha256:${hash('a').slice(7).toUpperCase()}`]: { id: '2' } }, /"2" is listed twice/],
  [[], /keys must be an object/],
])(proves('access.mistakes', 'a mistake in the keys is one message, without the key: %#'), (keys, message) => {
  expect(() => apiKeys({ keys: keys as never })).toThrow(message);
  expect(() => apiKeys({ keys: keys as never })).not.toThrow(/my-secret-key/);
});

it('either keys or a file', () => {
  expect(() => apiKeys({} as never)).toThrow(/either keys or a file/);
  expect(() => apiKeys({ keys: {}, file: 'keys.json' } as never)).toThrow(/either keys or a file/);
  expect(() => apiKeys({ files: 'keys.json' } as never)).toThrow(/did you mean "file"/);
});

it(proves('access.key-file', 'a file is read again when it changes; a broken one changes nothing'), () => {
  const file = join(temporaryFolder('keys'), 'keys.json');
  const save = (keys: object) => writeFileSync(file, JSON.stringify(keys));
  expect(() => apiKeys({ file })).toThrow(/apiKeys: ENOENT/);
  writeFileSync(file, '{"sha256:plain-secret');
  expect(() => apiKeys({ file })).toThrow('apiKeys: the file with API keys is not valid JSON');

  save({ [hash('one')]: { id: '1' } });
  const keys = apiKeys({ file: pathToFileURL(file) });
  const reported: string[] = [];
  const idOf = (key: string) => {
    const verdict = keys.authenticate(bearer(key), (error) => reported.push((error as Error).message));
    return (verdict as { id?: string } | undefined)?.id;
  };
  expect([idOf('one'), idOf('two')]).toEqual(['1', undefined]);
  save({ [hash('two')]: { id: '2' } });
  later(1000);
  expect([idOf('one'), idOf('two')]).toEqual([undefined, '2']);

  for (const broken of ['{"sha256:plain-secret', '[]', JSON.stringify({ 'plain-secret': { id: '3' } })]) {
    writeFileSync(file, broken);
    later(2000);
    expect(idOf('two')).toBe('2');
    later(2000);
    expect(idOf('two')).toBe('2');
  }
  rmSync(file);
  later(2000);
  expect(idOf('two')).toBe('2');
  expect(reported).toHaveLength(4);
  expect(reported.join()).not.toMatch(/plain-secret/);

  save({});
  later(2000);
  expect(idOf('two')).toBeUndefined();
});
