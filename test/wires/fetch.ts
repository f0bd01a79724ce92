import { acceptOf, bodyOf } from '../every-wire.ts';
import type { Wire } from '../every-wire.ts';
import { read } from './http.ts';
import { appOf } from './process.ts';

/** Through app.fetch, with web-standard requests. */
export const fetchWire: Wire = {
  name: 'fetch',
  async call(name, fn, send, profile) {
    const app = await appOf(name);
    const url = `http://localhost/functions/${encodeURIComponent(fn)}`;
    const headers = { 'content-type': 'application/json', ...acceptOf(profile) };
    const response = await app.fetch(new Request(url, { method: 'POST', headers, body: bodyOf(send).slice() }));
    return read(response);
  },
};
