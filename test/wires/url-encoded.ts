import type { App, HttpOptions, RegisteredFunction } from 'everywire';
import { createFetchHost, type FetchHost } from '../../src/hosts/fetch.ts';
import { acceptOf, type Behaviour, type Send } from '../every-wire.ts';
import { read } from './http.ts';
import { oneOf } from './one-of.ts';
import { appOf, perApp } from './process.ts';

type Pairs = [name: string, value: string][];

/** Names and values of a query that stand for these arguments; undefined if there are none. */
export function toPairs(value: unknown, name?: string): Pairs | undefined {
  if (name === undefined && typeof value !== 'object') return undefined;
  if (typeof value === 'string') return [[name!, value]];
  if (typeof value === 'number' || typeof value === 'boolean') return [[name!, JSON.stringify(value)]];
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (name !== undefined && entries.length === 0) return undefined;
  if (isList && (name === undefined || value.some((item) => typeof item === 'object'))) return undefined;
  const parts = entries.map(([key, inner]) => {
    if (key.includes('.')) return undefined;
    return toPairs(inner, isList ? name : name === undefined ? key : `${name}.${key}`);
  });
  return parts.includes(undefined) ? undefined : (parts.flat() as Pairs);
}

/** The same app, as if every function had GET. */
const withGet = perApp(async (name) => serveAs(await appOf(name), () => ({ method: 'GET' })));

/** Serves an app as if its functions had other `http` options. */
export function serveAs(app: App, http: (fn: RegisteredFunction) => HttpOptions): FetchHost {
  const functions = app.functions.map((fn) => ({ ...fn, http: { ...fn.http, ...http(fn) } }));
  const find = (given: string) => functions.find(({ name }) => name === app.find(given)?.name);
  return createFetchHost({ ...app, functions, find } as never);
}

const url = (fn: string) => `http://localhost/functions/${encodeURIComponent(fn)}`;

function encode(send: Send): string {
  return new URLSearchParams('body' in send ? [] : toPairs(send.arguments ?? {})).toString();
}

/** Arguments in the query. */
export const httpGetWire = oneOf(10, 4, {
  name: 'http-get',
  cannot: whyNot,
  async call(name, fn, send, profile) {
    const host = await withGet.of(name);
    return read(await host.handle(new Request(`${url(fn)}?${encode(send)}`, { headers: acceptOf(profile) })));
  },
});

/** Arguments in a form. */
export const httpFormWire = oneOf(10, 5, {
  name: 'http-form',
  cannot: whyNot,
  async call(name, fn, send, profile) {
    const app = await appOf(name);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...acceptOf(profile) };
    return read(await app.fetch(new Request(url(fn), { method: 'POST', headers, body: encode(send) })));
  },
});

function whyNot({ send, function: fn, answer }: Behaviour): string | undefined {
  if ('body' in send) return 'has no JSON';
  const pairs = toPairs(send.arguments ?? {});
  if (!pairs) return 'has only names and strings';
  if (fn === 'Trace') return 'does not list what is repaired: everything is a string';
  if (fn === 'Exact') return 'repairs strings even with coerce: false';
  const isText = /\bgot\b/.test(answer.body) && !/got \\"/.test(answer.body);
  return isText ? 'sends a string where JSON has another type' : undefined;
}
