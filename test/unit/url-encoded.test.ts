import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { createHttpWire } from '../../src/wires/http/wire.ts';
import { parsePairs } from '../../src/wires/query/url-encoded.ts';
import { proves } from '../promises.ts';

it(proves('http.get', 'reads what URLSearchParams writes, and what it reads'), () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const written = new URLSearchParams(pairs).toString();
      expect(parsePairs(written)).toEqual([...new URLSearchParams(written)]);
    }),
  );
  const raw = fc.string({ unit: fc.constantFrom('a', '=', '&', '+', '.', '%41', '%C3%A9', '%26', ';', '[', 'ö') });
  fc.assert(
    fc.property(raw, (sent) => {
      expect(parsePairs(sent)).toEqual([...new URLSearchParams(sent)]);
    }),
  );
});

it.each(['%', 'a=%', '%4', 'a=%zz', 'a=%ff', 'a=%c3', 'a=%ed%a0%80', 'a=%c0%80', '%f5%80%80%80=1', 'a=1&b=%e2%82'])(
  proves('http.get', 'refuses %s'),
  (sent) => {
    expect(parsePairs(sent)).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
  },
);

/** As Node reads raw bytes from a socket: one character for each byte. */
it.each(['/functions/Echo?q=\u00c3\u00a9', '/functions/Echo?q=a b', '/echo/\u00c3\u00a9', '/functions/Echo?q=\u0000'])(
  proves('http.get', 'refuses bytes that are not percent-encoded: %j'),
  async (target) => {
    const echo = {
      name: 'Echo',
      description: 'Echo',
      hints: { readOnly: true },
      http: { method: 'GET', path: '/echo/{q}' },
      input: { type: 'object', properties: { q: { type: 'string', description: 'Q' } }, required: ['q'] },
      run: () => {},
    } as const;
    const app = createApp({ name: 'Test', version: '1', functions: [echo] });
    const request = { method: 'GET', target, headers: { host: 'localhost' }, body: new Uint8Array() };
    const { status, body } = await createHttpWire(app as never).handle(request);
    expect([status, body]).toEqual([400, expect.stringContaining('is not percent-encoded UTF-8')]);
  },
);
