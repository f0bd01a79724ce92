import type { ClientOptions } from './client.ts';
import type { Connection } from './connection.ts';
import { ACCEPT, ask } from './http-answer.ts';
import { fetchDocument } from './openapi-document.ts';
import type { Document } from './openapi-document.ts';
import { toBody } from './to-body.ts';

/** An everywire server: `POST <base>/functions/<name>`. Its document is fetched once, for lists and for typed values. */
export function connectHttp(base: URL, { headers = {}, fetch: send = fetch }: ClientOptions): Connection {
  const root = base.href.endsWith('/') ? base : new URL(`${base.href}/`);
  let known: Promise<Document> | undefined;
  const document = () => (known ??= fetchDocument(send, new URL('openapi.json', root), headers));

  return {
    async call(name, input, options) {
      const body = toBody(input);
      if (typeof body !== 'string') return body;
      const path = `functions/${encodeURIComponent(name)}`;
      const init = {
        method: 'POST',
        headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
        body,
      };
      return ask(send, new URL(path, root), init, options, () => reviveOf(name));
    },
    list: async () => (await document()).operations,
    close: async () => {},
  };

  /** Without the document values stay as they came. */
  async function reviveOf(name: string) {
    const found = await document().catch(() => {
      known = undefined; // the next call tries anew
    });
    return found?.operations.find((one) => one.path === `/functions/${name}` || one.name === name)?.revive;
  }
}
