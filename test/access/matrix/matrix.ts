import type { App } from 'everywire';
import { Credentials } from 'everywire/access';
import { loadApp } from 'everywire/node';
import { base64, createKey, seconds, signToken, signWithSecret } from '../issuer.ts';
import { API_KEY, AUDIENCE, ISSUER } from './names.ts';
import { INITIALIZE, legacy, META, modern } from '../../mcp/mcp-post.ts';
import { cgi as respond, command } from '../../kit/command.ts';
import { startServing } from '../../kit/served.ts';

interface Presented {
  readonly title: string;
  /** A bearer token; a credential that is malformed; or nothing. */
  readonly token?: string;
  readonly isMalformed?: true;
  /** Who it is, for those ways in that take no credential. */
  readonly scopes?: readonly string[];
  /** Of the refusal; without one, the call is allowed. */
  readonly code?: 'UNAUTHENTICATED' | 'FORBIDDEN' | 'BAD_REQUEST';
}

const ec = createKey('ec');
const rsa = createKey('rsa', 'RS256');

/** What the app needs in its environment: the public keys of the issuer. */
const environment = { GUARDED_JWKS: JSON.stringify({ keys: [ec.jwk, rsa.jwk] }) };

/** Each of these alone is what is wrong with the credential. */
function credentials(): readonly Presented[] {
  const now = seconds();
  const right = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 3600, scope: 'write' };
  const token = (claims: object = {}) => signToken(ec, { ...right, ...claims });
  const pem = String(rsa.publicKey.export({ type: 'spki', format: 'pem' }));
  const code = 'UNAUTHENTICATED';
  return [
    { title: 'none', code },
    { title: 'malformed', token: 'two words', isMalformed: true, code: 'BAD_REQUEST' },
    { title: 'an API key that nobody has', token: 'unknown-key', code },
    { title: 'a token signed with another key', token: signToken(createKey(ec.kid), right), code },
    { title: 'expired', token: token({ exp: now - 60 }), code },
    { title: 'not yet valid', token: token({ nbf: now + 600 }), code },
    { title: 'for another audience', token: token({ aud: 'https://other.example.com' }), code },
    { title: 'of another issuer', token: token({ iss: 'https://evil.example.com' }), code },
    { title: 'not signed (`alg: none`)', token: `${base64({ alg: 'none', typ: 'JWT' })}.${base64(right)}.`, code },
    {
      title: 'signed with the public key as a secret (HS256)',
      token: signWithSecret(pem, right, { alg: 'HS256', typ: 'JWT', kid: rsa.kid }),
      code,
    },
    { title: 'signed with an unknown key (`kid`)', token: signToken(createKey('unknown'), right), code },
    { title: 'right, without the scope', token: token({ scope: 'read' }), scopes: ['read'], code: 'FORBIDDEN' },
    { title: 'right, with a scope that implies it', token: token({ scope: 'admin' }), scopes: ['admin'] },
    { title: 'right', token: token(), scopes: ['write'] },
    { title: 'a right API key', token: API_KEY, scopes: ['write'] },
  ];
}

/** What came back: the code of the refusal, and how this wire says it. */
interface Seen {
  readonly code: string | undefined;
  readonly sign: string;
}

/** Undefined where a wire has no place for such a credential. */
type Call = (presented: Presented) => Promise<Seen | undefined>;

const MODULE = 'test/apps/guarded.ts';
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
const inProcess: Call = async ({ token, scopes }) => {
  if (token !== undefined && !scopes) return undefined;
  const outcome = await (await app()).call('Write', { text: 'a' }, scopes && { principal: { id: 'ada', scopes } });
  return { code: outcome.ok ? undefined : outcome.error.code, sign: outcome.ok ? 'ok' : 'error' };
};

const ownWire: Call = async ({ token, isMalformed }) => {
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
type Send = (path: string, init: RequestInit) => Promise<Response>;

const byFetch: Send = async (path, init) => (await app()).fetch(new Request(`http://localhost${path}`, init));

const functionOver =
  (send: Send): Call =>
  async (presented) => {
    const headers = { 'content-type': 'application/json', ...headersOf(presented) };
    return seenIn(await send('/functions/Write', { method: 'POST', headers, body: INPUT }));
  };

const resourceOver =
  (send: Send): Call =>
  async (presented) =>
    seenIn(await send('/resources/note%3A%2F%2Fone', { headers: headersOf(presented) }));

const cgi: Call = async (presented) => {
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

const commandLine: Call = async (presented) => {
  await app();
  const args = ['call', MODULE, 'Write', '--text', 'a', '--profile', 'status', '--json'];
  const { stdout, code: exit } = await command(args, { env: variablesOf(presented) });
  const { error } = JSON.parse(stdout) as { error?: { code: string } };
  return { code: error?.code, sign: `exit ${exit}` };
};

type Revision = '2025-11-25' | '2026-07-28';

/** What can be asked for over MCP. */
const MESSAGES = {
  tool: { method: 'tools/call', params: { name: 'functions.Write', arguments: { text: 'a' } } },
  resource: { method: 'resources/read', params: { uri: 'note://one' } },
  prompt: { method: 'prompts/get', params: { name: 'Greet' } },
} as const;
type Target = keyof typeof MESSAGES;

interface Reply {
  readonly result?: { readonly isError?: boolean; readonly _meta?: { 'everywire/error'?: { code: string } } };
  readonly error?: { readonly code: number; readonly data?: { readonly code?: string } };
}

function messageOf(revision: Revision, target: Target) {
  const { method, params } = MESSAGES[target];
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, ...(revision === '2026-07-28' && { _meta: META }) } };
}

const codeIn = ({ result, error }: Reply) => (error ? error.data?.code : result?._meta?.['everywire/error']?.code);

const mcpOver =
  (target: Target, revision: Revision, url: () => Promise<string>): Call =>
  async (presented) => {
    const [headers, asked] = [headersOf(presented), MESSAGES[target]];
    const response = await (revision === '2026-07-28'
      ? modern(await url(), asked, undefined, headers)
      : legacy(await url(), asked, undefined, undefined, headers));
    return { code: codeIn((await response.json()) as Reply), sign: String(response.status) };
  };

const onStdio =
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

interface Row {
  readonly presented: Presented;
  /** By the name of the way in. */
  readonly seen: Readonly<Record<string, Seen | undefined>>;
}

export interface Matrix {
  readonly functions: readonly Row[];
  readonly others: readonly Row[];
}

/** Presents every credential on every wire: to a real server, and to commands in this process. */
export async function observe(): Promise<Matrix> {
  Object.assign(process.env, environment);
  const served = await startServing(MODULE);
  try {
    const url = async () => served.url;
    const overHttp: Send = (path, init) => fetch(served.url + path, init);
    const [old, current] = ['2025-11-25', '2026-07-28'] as const;
    const functions: Record<string, Call> = {
      'in process': inProcess,
      'a wire of your own': ownWire,
      'app.fetch': functionOver(byFetch),
      HTTP: functionOver(overHttp),
      CGI: cgi,
      [`MCP HTTP ${old}`]: mcpOver('tool', old, url),
      [`MCP HTTP ${current}`]: mcpOver('tool', current, url),
      [`MCP stdio ${old}`]: onStdio('tool', old),
      [`MCP stdio ${current}`]: onStdio('tool', current),
      'command line': commandLine,
    };
    const others: Record<string, Call> = { 'resource, HTTP': resourceOver(overHttp) };
    for (const target of ['resource', 'prompt'] as const) {
      for (const revision of [old, current]) {
        others[`${target}, MCP HTTP ${revision}`] = mcpOver(target, revision, url);
      }
      others[`${target}, MCP stdio`] = onStdio(target, current);
    }
    return { functions: await fill(functions), others: await fill(others) };
  } finally {
    await served.stop();
  }
}

/** A row at a time: a process for each cell at once would be too many. */
async function fill(ways: Readonly<Record<string, Call>>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const presented of credentials()) {
    const cells = Object.entries(ways).map(async ([name, call]) => [name, await call(presented)] as const);
    rows.push({ presented, seen: Object.fromEntries(await Promise.all(cells)) });
  }
  return rows;
}

/** As Markdown. */
export function render({ functions, others }: Matrix): string {
  return `${table('credential', functions)}\n\nResources and prompts:\n\n${table('credential', others)}`;
}

function table(corner: string, rows: readonly Row[]): string {
  const names = Object.keys(rows[0]!.seen);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line([corner, 'code', ...names]),
    line(['---', '---', ...names.map(() => '---')]),
    ...rows.map(({ presented: { title, code }, seen }) =>
      line([title, code ? `\`${code}\`` : '–', ...names.map((name) => seen[name]?.sign ?? '–')]),
    ),
  ].join('\n');
}
