import { connect } from 'node:http2';
import { once } from 'node:events';
import { serve } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app from '../apps/access.ts';
import { canCertify, createCertificate } from '../kit/certificates.ts';
import { proves } from '../promises.ts';
import { sharedServer } from '../kit/broker.ts';
import { command } from '../kit/command.ts';
import { startServing } from '../kit/served.ts';

async function seen(url: string, headers: Record<string, string>): Promise<[string, string]> {
  const response = await fetch(`${url}/functions/WhoAmI`, { headers });
  const { result } = (await response.json()) as { result: { address: string; scheme: string } };
  return [result.address, result.scheme];
}

describe('a server that trusts a proxy on this machine, and a network', () => {
  let host: NodeHost;
  beforeAll(async () => void (host = await serve(app, { port: 0, trustProxy: ['127.0.0.1', '10.0.0.0/8'] })));
  afterAll(() => host.drain());

  it.each([
    ['nothing', {}, '127.0.0.1', 'http'],
    ['an address', { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }, '192.0.2.1', 'https'],
    ['a claim of the client', { 'x-forwarded-for': '6.6.6.6, 192.0.2.1' }, '192.0.2.1', 'http'],
    ['two proxies', { 'x-forwarded-for': '6.6.6.6, 192.0.2.1, 10.9.9.9' }, '192.0.2.1', 'http'],
    ['only proxies', { 'x-forwarded-for': '10.1.1.1, 10.9.9.9' }, '10.1.1.1', 'http'],
    ['IPv6', { 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1', 'http'],
    ['IPv6 with a port', { 'x-forwarded-for': '[2001:db8::1]:443' }, '2001:db8::1', 'http'],
    ['IPv4 with a port', { 'x-forwarded-for': '192.0.2.1:443' }, '192.0.2.1', 'http'],
    ['IPv4 as IPv6', { 'x-forwarded-for': '::ffff:192.0.2.1' }, '192.0.2.1', 'http'],
    ['nonsense', { 'x-forwarded-for': '192.0.2.1, unknown' }, '127.0.0.1', 'http'],
    ['nonsense before a proxy', { 'x-forwarded-for': 'x, 10.9.9.9' }, '10.9.9.9', 'http'],
    ['another scheme', { 'x-forwarded-proto': 'gopher' }, '127.0.0.1', 'http'],
    ['two schemes', { 'x-forwarded-proto': 'https, http' }, '127.0.0.1', 'http'],
    ['RFC 7239', { forwarded: 'for=6.6.6.6, for="[2001:db8::1]:80";proto=https;by=x' }, '2001:db8::1', 'https'],
    ['RFC 7239 in capitals', { forwarded: 'Proto=HTTPS;For=192.0.2.1' }, '192.0.2.1', 'https'],
    ['a comma in quotes', { forwarded: 'for=192.0.2.1;by="a, for=6.6.6.6"' }, '192.0.2.1', 'http'],
    ['a hidden client', { forwarded: 'for=_hidden' }, '127.0.0.1', 'http'],
    ['both headers, alike', { forwarded: 'for=192.0.2.1', 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1', 'http'],
    ['both headers, different', { forwarded: 'for=6.6.6.6', 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1', 'http'],
  ])(proves('access.proxy', 'believes it: %s'), async (_what, headers, address, scheme) => {
    expect(await seen(host.url, headers)).toEqual([address, scheme]);
  });

  it(proves('access.proxy', 'takes time in proportion to the header'), async () => {
    const forwarded = `for=1;${'a="b,;'.repeat(1000)}`;
    expect(await seen(host.url, { forwarded, 'x-forwarded-for': ','.repeat(7000) })).toEqual(['127.0.0.1', 'http']);
  });
});

it.each([[undefined], [[]], [['10.0.0.0/8', '::1']]])(
  proves('access.proxy', 'nobody else is believed: %j'),
  async (trustProxy) => {
    const host = await serve(app, { port: 0, trustProxy });
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https', forwarded: 'for=192.0.2.1' };
    expect(await seen(host.url, headers)).toEqual(['127.0.0.1', 'http']);
    await host.drain();
  },
);

it.skipIf(!canCertify)(proves('access.proxy', 'over HTTP/2 too'), async () => {
  const host = await serve(app, { port: 0, trustProxy: ['127.0.0.1'], tls: createCertificate() });
  const session = connect(host.url, { rejectUnauthorized: false });
  const ask = async (headers: Record<string, string>) => {
    const stream = session.request({ ':path': '/functions/WhoAmI', ...headers });
    stream.setEncoding('utf8');
    let text = '';
    stream.on('data', (part: string) => (text += part));
    await once(stream, 'end');
    return text;
  };
  expect(await ask({})).toContain('"address":"127.0.0.1","scheme":"https"');
  expect(await ask({ 'x-forwarded-for': '192.0.2.1' })).toContain('"address":"192.0.2.1"');
  session.close();
  await host.drain();
});

it.each([['yes'], ['0.0.0.0/0'], ['10.0.0.0/33'], ['10.0.0.0/8/8'], ['localhost'], [''], ['::/0']])(
  proves('access.proxy', 'only addresses can be trusted: %s'),
  async (given) => {
    await expect(serve(app, { port: 0, trustProxy: [given] })).rejects.toThrow(
      `trustProxy must list the addresses of proxies, such as 10.0.0.7 or 10.0.0.0/8, not ${JSON.stringify(given)}`,
    );
    await expect(serve(app, { port: 0, trustProxy: 'yes' as never })).rejects.toThrow('trustProxy must be a list');
  },
);

it(proves('access.proxy', '--trust-proxy, also several times'), async () => {
  const url = await sharedServer('test/apps/access.ts', '--trust-proxy', '10.0.0.0/8', '--trust-proxy', '127.0.0.1');
  expect(await seen(url, { 'x-forwarded-for': '192.0.2.1, 10.0.0.1' })).toEqual(['192.0.2.1', 'http']);
  const wrong = await command(['serve', 'test/apps/access.ts', '--trust-proxy', 'yes']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not "yes"')]);
});

describe('a server on a network', () => {
  const WARNING =
    /^warning: everybody who can reach http:\/\/0\.0\.0\.0:\d+ can call every function; createApp\(\{ access/gm;

  it.each([
    ['without access rules', 'examples/calculator/app.ts', '0.0.0.0', 1],
    ['with access rules', 'test/apps/access.ts', '0.0.0.0', 0],
    ['on this machine only', 'examples/calculator/app.ts', '127.0.0.1', 0],
  ])(proves('access.warning', 'warns once: %s'), async (_what, module, address, count) => {
    const served = await startServing(module, '--host', address);
    await served.stop();
    expect([...served.stderr().matchAll(WARNING)]).toHaveLength(count);
  });
});
