import type { ClientOptions } from './client.ts';
import { findCallable } from './connection.ts';
import type { Connection } from './connection.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { ACCEPT_FILES, ACCEPT_STREAM, MAX_BUFFERED_FILE, sendRequest } from './http-response.ts';
import type { Expected } from './http-response.ts';
import { httpTasks } from './http-tasks.ts';
import { memoizeAsync } from './memoize-async.ts';
import { fetchDocument } from './openapi-document.ts';
import { termHeaders } from './term-headers.ts';
import { toHttpBody } from './to-http-body.ts';

/** Calls an everywire server: `POST <base>/functions/<name>`. Fetches its document once, for lists and types. */
export function connectHttp(base: URL, options: ClientOptions): Connection {
  const { headers = {}, maxBufferedFile = MAX_BUFFERED_FILE } = options;
  const send = guardedFetch(base, options);
  const sender = { send, maxBufferedFile };
  const root = `${base.origin}${base.pathname.replace(/\/$/, '')}`;
  const document = memoizeAsync(() => fetchDocument(send, new URL(`${root}/openapi.json`), headers));

  return {
    async call(name, input, signal, hooks, terms) {
      const sent = await toHttpBody(input);
      if ('ok' in sent) return sent;
      const url = new URL(`${root}/functions/${encodeURIComponent(name)}`);
      const typed = {
        accept: hooks ? ACCEPT_STREAM : ACCEPT_FILES,
        'content-type': sent.type,
        ...termHeaders(terms),
        ...headers,
      };
      const init = { method: 'POST', headers: typed, body: sent.body, ...(signal && { signal }) };
      return sendRequest(sender, url, init, () => expected(name), hooks);
    },
    tasks: httpTasks({ sender, headers, root: async () => root, expected }),
    list: async () => (await document()).operations,
    close: async () => {},
  };

  /** Without the document, dates and the like stay strings. */
  async function expected(name: string): Promise<Expected> {
    const found = await document().catch(() => undefined);
    const operations = found?.operations ?? [];
    const operation = operations.find((one) => one.functionName === name) ?? findCallable(operations, name);
    return { isOurs: true, revive: operation?.revive, reviveChunk: operation?.reviveChunk };
  }
}
