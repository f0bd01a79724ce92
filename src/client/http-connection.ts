import type { ClientOptions } from './client.ts';
import type { Connection } from './connection.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { ACCEPT_FILES, ACCEPT_STREAM, MAX_BUFFERED_FILE, sendRequest } from './http-response.ts';
import type { Expected } from './http-response.ts';
import { memoizeAsync } from './memoize-async.ts';
import { fetchDocument } from './openapi-document.ts';
import { toHttpBody } from './to-http-body.ts';

/** Calls an everywire server: `POST <base>/functions/<name>`. Fetches its document once, for lists and types. */
export function connectHttp(base: URL, options: ClientOptions): Connection {
  const { headers = {}, maxBufferedFile = MAX_BUFFERED_FILE } = options;
  const send = guardedFetch(base, options);
  const root = `${base.origin}${base.pathname.replace(/\/$/, '')}`;
  const document = memoizeAsync(() => fetchDocument(send, new URL(`${root}/openapi.json`), headers));

  return {
    async call(name, input, signal, hooks) {
      const sent = await toHttpBody(input);
      if ('ok' in sent) return sent;
      const url = new URL(`${root}/functions/${encodeURIComponent(name)}`);
      const typed = { accept: hooks ? ACCEPT_STREAM : ACCEPT_FILES, 'content-type': sent.type, ...headers };
      const init = { method: 'POST', headers: typed, body: sent.body, ...(signal && { signal }) };
      return sendRequest(
        { send, maxBufferedFile },
        url,
        init,
        async () => ({ isOurs: true, ...(await revivesOf(name)) }),
        hooks,
      );
    },
    list: async () => (await document()).operations,
    close: async () => {},
  };

  /** Without the document, dates and the like stay strings. */
  async function revivesOf(name: string): Promise<Pick<Expected, 'revive' | 'reviveChunk'>> {
    const found = await document().catch(() => undefined);
    const operation = found?.operations.find((one) => one.path === `/functions/${name}` || one.name === name);
    return { revive: operation?.revive, reviveChunk: operation?.reviveChunk };
  }
}
