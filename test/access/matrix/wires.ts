import type { App } from 'everywire';
import { Credentials } from 'everywire/access';
import { loadApp } from 'everywire/node';
import { INITIALIZE, META, legacy, modern } from '../../mcp/mcp-post.ts';
import { cgi as respond, command } from '../../kit/command.ts';
import { environment } from './credentials.ts';
import type { Presented } from './credentials.ts';

/** What came back: the code of the refusal, and how this wire says it. */
export interface Seen {
  readonly code: string | undefined;
  readonly sign: string;
}

/** Undefined where a wire has no place for such a credential. */
export type Call = (presented: Presented) => Promise<Seen | undefined>;

export const MODULE = 'test/apps/guarded.ts';
const INPUT = '{"text":"a"}';

const headersOf = ({ token }: Presented): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

const seenIn = (response: Response): Seen => ({
  code: response.headers.get('everywire-error-code') ?? undefined,
  sign: String(response.status),
});

let loaded: Promise<App> | undefined;
const app = (): Promise<App> => {
  Object.assign(process.env, environment);
  return (loaded ??= loadApp(MODULE));
};

/** There is nothing to forge: the program that calls says who it is. */
export const inProcess: Call = async ({ token, scopes }) => {
  if (token !== undefined && !scopes) return undefined;
  const outcome = await (await app()).call('Write', { text: 'a' }, scopes && { principal: { id: 'ada', scopes } });
  return { code: outcome.ok ? undefined : outcome.error.code, sign: outcome.ok ? 'ok' : 'error' };
};

export const ownWire: Call = async ({ token, isMalformed }) => {
  const guarded = await app();
  const { outcome } = await guarded.respond({
    name: 'Write',
    fn: guarded.find('Write'),
    input: { text: 'a' },
    caller: { wire: 'own' },
    credentials: new Credentials({ bearer: token, malformed: isMalformed }),
  });
  return { code: outcome.ok ? undefined : outcome.error.code, sign: outcome.ok ? 'ok' : 'error' };
};

/** As the handler of a request: app.fetch, or a real server. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

export const byFetch: Send = async (path, init) => (await app()).fetch(new Request(`http://localhost${path}`, init));

export const functionOver =
  (send: Send): Call =>
  async (presented) => {
    const headers = { 'content-type': 'application/json', ...headersOf(presented) };
    return seenIn(await send('/functions/Write', { method: 'POST', headers, body: INPUT }));
  };

export const resourceOver =
  (send: Send): Call =>
  async (presented) =>
    seenIn(await send('/resources/note%3A%2F%2Fone', { headers: headersOf(presented) }));

export const cgi: Call = async (presented) => {
  const { authorization } = headersOf(presented);
  await app();
  const variables = {
    REQUEST_METHOD: 'POST',
    PATH_INFO: '/functions/Write',
    CONTENT_TYPE: 'application/json',
    CONTENT_LENGTH: String(INPUT.length),
    ...(authorization && { HTTP_AUTHORIZATION: authorization }),
  };
  const { stdout } = await respond(MODULE, variables, INPUT);
  const [, status = ''] = /^Status: (\d+)/.exec(stdout) ?? [];
  return { code: /^everywire-error-code: (\w+)/im.exec(stdout)?.[1], sign: status };
};

/** A token is in the environment: arguments can be seen by other users of the machine. */
const variablesOf = ({ token }: Presented) => ({
  ...environment,
  ...(token !== undefined && { EVERYWIRE_TOKEN: token }),
});

export const commandLine: Call = async (presented) => {
  await app();
  const args = ['call', MODULE, 'Write', '--text', 'a', '--profile', 'status', '--json'];
  const { stdout, code: exit } = await command(args, { env: variablesOf(presented) });
  const { error } = JSON.parse(stdout) as { error?: { code: string } };
  return { code: error?.code, sign: `exit ${exit}` };
};

export type Revision = '2025-11-25' | '2026-07-28';

/** What can be asked for over MCP. */
const MESSAGES = {
  tool: { method: 'tools/call', params: { name: 'functions.Write', arguments: { text: 'a' } } },
  resource: { method: 'resources/read', params: { uri: 'note://one' } },
  prompt: { method: 'prompts/get', params: { name: 'Greet' } },
} as const;
export type Target = keyof typeof MESSAGES;

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly _meta?: { 'everywire/error'?: { code: string } } };
  readonly error?: { readonly code: number; readonly data?: { readonly code?: string } };
}

function messageOf(revision: Revision, target: Target) {
  const { method, params } = MESSAGES[target];
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, ...(revision === '2026-07-28' && { _meta: META }) } };
}

const codeIn = ({ result, error }: Reply) => (error ? error.data?.code : result?._meta?.['everywire/error']?.code);

export const mcpOver =
  (target: Target, revision: Revision, url: () => Promise<string>): Call =>
  async (presented) => {
    const [headers, asked] = [headersOf(presented), MESSAGES[target]];
    const response = await (revision === '2026-07-28'
      ? modern(await url(), asked, undefined, headers)
      : legacy(await url(), asked, undefined, undefined, headers));
    return { code: codeIn((await response.json()) as Reply), sign: String(response.status) };
  };

export const onStdio =
  (target: Target, revision: Revision): Call =>
  async (presented) => {
    const messages = [...(revision === '2025-11-25' ? [INITIALIZE] : []), messageOf(revision, target)];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    await app();
    const { stdout } = await command(['mcp', MODULE], { input, env: variablesOf(presented) });
    const reply = JSON.parse(stdout.trim().split('\n').at(-1)!) as Reply;
    const sign = reply.error ? `error ${reply.error.code}` : reply.result?.isError ? '`isError`' : 'result';
    return { code: codeIn(reply), sign };
  };
