import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keys } from '../apps/access.ts';
import { INITIALIZE, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { cgi, command } from '../kit/command.ts';
import { run } from '../wires/cli.ts';
import { runCgi } from '../wires/cgi.ts';

const APP = 'test/apps/access.ts';
const EVERYWIRE = 'dist/bin/everywire.js';
const folder = temporaryFolder('token');
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, `${keys.reader}\n`);
const wrongFile = join(folder, 'wrong');
writeFileSync(wrongFile, 'wrong');

const call = (args: readonly string[], env?: Record<string, string>) => command(['call', APP, ...args], { env });

describe.concurrent('the command line', () => {
  const refused = (from: string) =>
    `Invalid credentials: nobody recognises it (UNAUTHENTICATED)\nThe token or API key in ${from} was refused`;
  const none =
    'Authentication is required (UNAUTHENTICATED)\nA token or API key is read from EVERYWIRE_TOKEN, or from a file with --token-file <file>';
  const wrong = { EVERYWIRE_TOKEN: 'wrong' };
  it.each([
    ['nothing', ['Read', '--id', '1'], {}, none],
    ['an unknown token', ['Read', '--id', '1'], wrong, refused('EVERYWIRE_TOKEN')],
    ['an unknown token in a file', ['Read', '--id', '1', '--token-file', wrongFile], {}, refused('the token file')],
    [
      'a known token',
      ['Write', '--shop', 'a'],
      { EVERYWIRE_TOKEN: keys.reader },
      'This needs the scope write:a (FORBIDDEN)',
    ],
  ] as const)(
    proves('access.command-line', 'a stranger with %s gets exit code 77, and a hint'),
    async (_, args, env, error) => {
      expect(await call(args, env)).toMatchObject({ stderr: `error: ${error}\n`, code: 77 });
    },
  );

  it.each([
    ['EVERYWIRE_TOKEN', ['Read', '--id', '1'], { EVERYWIRE_TOKEN: keys.reader }],
    ['--token-file', ['Read', '--id', '1', '--token-file', tokenFile], {}],
    ['EVERYWIRE_TOKEN_FILE', ['Read', '--id', '1'], { EVERYWIRE_TOKEN_FILE: tokenFile }],
    ['--token-file before EVERYWIRE_TOKEN', ['Read', '--id', '1', '--token-file', tokenFile], { EVERYWIRE_TOKEN: 'x' }],
    [
      'EVERYWIRE_TOKEN before EVERYWIRE_TOKEN_FILE',
      ['Read', '--id', '1'],
      { EVERYWIRE_TOKEN: keys.reader, EVERYWIRE_TOKEN_FILE: EVERYWIRE },
    ],
  ] as const)(proves('access.command-line', '%s'), async (_, args, env) => {
    expect(await call(args, env)).toMatchObject({ stdout: '{"result":"1"}', code: 0 });
  });

  it(proves('access.command-line', 'the app does not find the token in its environment'), async () => {
    const { stdout } = await run([EVERYWIRE, 'call', APP, 'WhoAmI'], undefined, { EVERYWIRE_TOKEN: keys.reader });
    expect(JSON.parse(stdout)).toMatchObject({ result: { id: 'reader', kind: 'key', variables: [] } });
  });

  it.each(['two words', 'caf\u00E9', 'x'.repeat(8193)])(
    proves('access.command-line', 'a malformed one is refused and not shown'),
    async (token) => {
      const { stdout, stderr, code } = await call(['WhoAmI'], { EVERYWIRE_TOKEN: token });
      expect({ stdout, code }).toEqual({
        stdout: '{"error":"The credentials are malformed, or there is more than one"}',
        code: 2,
      });
      expect(stderr).not.toContain(token);
    },
  );

  it(proves('access.command-line', 'an empty file presents a credential, which is malformed'), async () => {
    const empty = join(folder, 'empty');
    writeFileSync(empty, '');
    expect((await call(['WhoAmI', '--token-file', empty])).code).toBe(2);
  });

  it(proves('access.command-line', 'a file that is missing is named'), async () => {
    const { stderr, code } = await call(['Read', '--id', '1', '--token-file', join(folder, 'missing')]);
    expect(code).toBe(2);
    expect(stderr).toContain(`no such file: ${join(folder, 'missing')}`);
  });
});

const MESSAGES = [
  INITIALIZE,
  { id: 1, ...tool('Read', { id: '1' }) },
  { id: 2, method: 'resources/read', params: { uri: 'note://one' } },
  { id: 3, method: 'prompts/get', params: { name: 'Greet' } },
  { id: 4, ...tool('WhoAmI') },
];

describe.concurrent('MCP over stdio', () => {
  async function talk(args: readonly string[], env?: Record<string, string>): Promise<Record<string, any>[]> {
    const input = MESSAGES.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
    const { stdout } = await run([EVERYWIRE, 'mcp', APP, ...args], Buffer.from(input), env);
    const lines = stdout.trim().split('\n');
    return lines.map((line) => JSON.parse(line) as { id: number }).toSorted((a, b) => a.id - b.id);
  }

  it.each([
    ['EVERYWIRE_TOKEN', [], { EVERYWIRE_TOKEN: keys.reader }],
    ['EVERYWIRE_TOKEN, with options', ['--verbose'], { EVERYWIRE_TOKEN: keys.reader }],
    ['--token-file', ['--token-file', tokenFile], {}],
  ] as const)(proves('access.command-line', '%s'), async (_, args, env) => {
    const [, read, resource, prompt, who] = await talk(args, env);
    expect(read!['result'].structuredContent).toEqual({ result: '1' });
    expect(resource!['result'].contents[0].text).toBe('A note');
    expect(prompt!['result'].messages).toHaveLength(1);
    expect(who!['result'].structuredContent.result).toMatchObject({ id: 'reader', kind: 'key', variables: [] });
  });
});

const METADATA = 'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource"';

describe('the command', () => {
  const request = { REQUEST_METHOD: 'GET', SERVER_NAME: 'localhost', PATH_INFO: '/WhoAmI' };
  const respond = async (variables: Record<string, string>, path = '/WhoAmI') =>
    (await cgi(APP, { ...request, PATH_INFO: path, ...variables })).stdout;

  it(proves('access.cgi', 'reads the token, and takes it out of the environment'), async () => {
    const variables = { HTTP_AUTHORIZATION: `Bearer ${keys.reader}`, REMOTE_ADDR: '192.0.2.1', HTTPS: 'on' };
    const { stdout: text } = await runCgi(['dist/bin/everywire.js', 'cgi', APP], { ...request, ...variables });
    expect(text).toContain('"id":"reader","kind":"key","address":"192.0.2.1","scheme":"https"');
    expect(text).toContain('"variables":[]');
    expect(text).not.toContain(keys.reader);
  });

  it(proves('access.cgi', 'takes the user of the web server, also if the header is Basic'), async () => {
    const user = { REMOTE_USER: 'alice', AUTH_TYPE: 'Basic', HTTP_AUTHORIZATION: 'Basic YWxpY2U6eA==' };
    expect(await respond(user)).toContain('"id":"Basic/alice","kind":"user"');
    expect(await respond({ REMOTE_USER: 'mallory', AUTH_TYPE: 'Basic' })).toMatch(/^Status: 401 Unauthorized\r\n/);
  });

  it(proves('access.cgi', 'takes no user from a header'), async () => {
    const headers = { HTTP_REMOTE_USER: 'alice', HTTP_AUTH_TYPE: 'Basic', HTTP_X_REMOTE_USER: 'alice' };
    expect(await respond(headers)).toContain('"id":"anonymous"');
  });

  it(proves('access.cgi', 'refuses with a status and a challenge'), async () => {
    const text = await respond({ QUERY_STRING: 'id=1' }, '/Read');
    expect(text).toMatch(/^Status: 401 Unauthorized\r\n/);
    expect(text).toContain(`\r\nWww-Authenticate: Bearer ${METADATA}, scope="read"\r\n`);
    expect(await respond({}, '/.well-known/oauth-protected-resource/mcp')).toContain(
      '"resource":"https://api.example.com/mcp"',
    );
  });
});
