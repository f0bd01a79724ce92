import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { cgi, command } from '../kit/command.ts';
import { parseCgi } from '../wires/cgi.ts';
import { startServing } from '../kit/served.ts';

const APP = 'test/apps/cors.ts';
const everywire = (...args: readonly string[]) => command(args);

/** What a preflight request returns: status, origin, credentials, whether X-Tenant may be sent, and for how long. */
const preflight = { 'access-control-request-method': 'POST' };
const rulesIn = (status: number, get: (name: string) => string | null | undefined) => [
  status,
  get('access-control-allow-origin') ?? null,
  get('access-control-allow-credentials') ?? null,
  get('access-control-allow-headers')?.includes('x-tenant') ?? null,
  get('access-control-max-age') ?? null,
];
const kept = ['true', true, '60'];
const refused = [403, null, null, null, null];

async function overHttp(flags: readonly string[], origins: readonly string[]): Promise<unknown[]> {
  const { url, stop } = await startServing(APP, ...flags);
  const ask = async (origin: string) => {
    const headers = { origin, ...preflight };
    const response = await fetch(`${url}/functions/Ping`, { method: 'OPTIONS', headers });
    return rulesIn(response.status, (name) => response.headers.get(name));
  };
  const asked = await Promise.all(origins.map(ask));
  await stop();
  return asked;
}

function overCgi(flags: readonly string[], origins: readonly string[]): Promise<unknown[]> {
  const ask = async (origin: string) => {
    const asked = { HTTP_ORIGIN: origin, HTTP_ACCESS_CONTROL_REQUEST_METHOD: 'POST' };
    const variables = { REQUEST_METHOD: 'OPTIONS', PATH_INFO: '/functions/Ping', ...asked };
    const { stdout } = await cgi(APP, variables, '', ...flags);
    const { status, headers } = parseCgi(stdout);
    return rulesIn(status, (name) => headers[name]);
  };
  return Promise.all(origins.map(ask));
}

describe.each([
  ['serve', overHttp],
  ['cgi', overCgi],
] as const)('everywire %s', (name, ask) => {
  it(proves('http.cors', 'has the rules of the app'), async () => {
    expect(await ask([], ['https://app.example', 'https://other.example'])).toEqual([
      [204, 'https://app.example', ...kept],
      refused,
    ]);
  });

  it(proves('http.cors', '--allow-origin replaces the origins of the app, and keeps its other rules'), async () => {
    const flags = ['--allow-origin', 'https://other.example', '--allow-origin', 'http://localhost:5173'];
    expect(await ask(flags, ['https://other.example', 'http://localhost:5173', 'https://app.example'])).toEqual([
      [204, 'https://other.example', ...kept],
      [204, 'http://localhost:5173', ...kept],
      refused,
    ]);
  });

  it(proves('http.cors-mistakes', 'a wrong --allow-origin is named with the right spelling'), async () => {
    const { code, stderr } = await everywire(name, APP, '--allow-origin', 'app.example');
    expect(stderr).toContain('"app.example" is not an origin that browsers send; write "https://app.example"');
    expect(code).toBe(2);
  });
});

it(proves('http.cors-mistakes', '--allow-origin "*" does not fit an app with credentials'), async () => {
  const problem = 'cors.credentials needs a list of origins: with "*", any page could act as the user';
  const { code, stderr } = await everywire('serve', APP, '--port', '0', '--allow-origin', '*');
  expect([code, stderr]).toEqual([1, `error: 1 problem in app "Cors":\n  - ${problem}\n`]);
  const request = { REQUEST_METHOD: 'GET', PATH_INFO: '/healthz' };
  const answered = await cgi(APP, request, '', '--allow-origin', '*');
  expect([parseCgi(answered.stdout).status, answered.stderr]).toEqual([500, expect.stringContaining(problem)]);
});
