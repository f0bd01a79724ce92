import { bodyOf, type AppName, type Behaviour, type Wire } from '../every-wire.ts';
import { INITIALIZE, META, messagesIn, post } from '../mcp/mcp-post.ts';
import { servedApp } from './http.ts';
import { oneOf } from './one-of.ts';
import { appOf, perApp } from './process.ts';
import { openStdio } from './stdio.ts';

type Revision = '2025' | '2026';
type Way = 'fast' | 'sdk';

interface Reply {
  readonly result?: {
    readonly content: readonly { readonly text?: string }[];
    readonly _meta?: { readonly 'everywire/error'?: { readonly code?: string } };
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

/** Sends one message as text and returns its response. */
type Exchange = (app: AppName, id: number, fn: string, message: string) => Promise<Reply>;

/** Sends the arguments byte by byte as given: clients would not send all of them, but some agents do. */
function createRawWire(
  name: Wire['name'],
  revision: Revision,
  way: Way,
  exchange: Exchange,
  close = async () => {},
): Wire {
  let ids = 0;
  return {
    name,
    cannot,
    async call(app, fn, send) {
      const id = ++ids;
      const given = new TextDecoder().decode(bodyOf(send));
      const meta = { ...(revision === '2026' && META), ...(way === 'sdk' && { progressToken: id }) };
      const params = `{"name":${JSON.stringify(fn)},${given && `"arguments":${given},`}"_meta":${JSON.stringify(meta)}}`;
      const message = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
      const { result, error } = await exchange(app, id, fn, message);
      const code = result ? result._meta?.['everywire/error']?.code : error?.data?.code;
      return {
        body: result ? (result.content[0]?.text ?? '') : JSON.stringify({ error: error?.message }),
        mcp: result ? 'result' : (error?.code ?? Number.NaN),
        ...(code && { code }),
      };
    },
    close,
  };
}

function cannot({ send, profile }: Behaviour): string | undefined {
  if (profile !== undefined) return 'MCP has one form for its results';
  if (bodyOf(send).length > 1024 * 1024) return 'the limit is one of the whole message';
  if (!('body' in send)) return undefined;
  try {
    // A message is one line.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bodyOf(send));
    return text === '' || (JSON.parse(text) as unknown, !text.includes('\n')) ? undefined : 'more than a line';
  } catch {
    return 'it would break the message around it';
  }
}

function overHttp(revision: Revision): Exchange {
  return async (app, _id, fn, message) => {
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': encodeName(fn) };
    const response = await post((await servedApp(app)).url, message, revision === '2026' ? modern : {});
    // The response comes last, after the chunks.
    return (await messagesIn(response)).at(-1) as Reply;
  };
}

const encodeName = (name: string) =>
  /^[\x21-\x7e]*$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** A session for each app, in this process. The apps are not stopped: other wires use them. */
function onStdio(revision: Revision): { exchange: Exchange; close: () => Promise<void> } {
  const sessions = perApp(async (app) => {
    const session = openStdio(await appOf(app));
    const hello = { ...INITIALIZE, id: 'hello', params: { ...INITIALIZE.params, capabilities: {} } };
    if (revision === '2025') session.write(JSON.stringify(hello));
    return session;
  });

  return {
    async exchange(app, id, _fn, message) {
      const session = await sessions.of(app);
      return new Promise((resolve) => {
        session.onLine((line) => {
          const reply = JSON.parse(line) as Reply & { id?: number };
          if (reply.id === id) resolve(reply);
        });
        session.write(message);
      });
    },
    close: () => sessions.close((session) => session.close()),
  };
}

/** Eight wires that take turns: every behaviour runs on one of them, and each of them gets behaviours of all kinds. */
export const rawMcpWires: readonly Wire[] = (['2025', '2026'] as const)
  .flatMap((revision) =>
    (['fast', 'sdk'] as const).flatMap((way) => {
      const { exchange, close } = onStdio(revision);
      return [
        createRawWire(`raw-mcp-stdio-${revision}-${way}`, revision, way, exchange, close),
        createRawWire(`raw-mcp-http-${revision}-${way}`, revision, way, overHttp(revision)),
      ];
    }),
  )
  .map((wire, turn, wires) => oneOf(wires.length, turn, wire));
