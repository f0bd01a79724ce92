import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keys } from '../apps/access.ts';
import { INITIALIZE, tool } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { command } from '../kit/command.ts';
import { run } from '../wires/cli.ts';

const APP = 'test/apps/access.ts';
const EVERYWIRE = 'dist/bin/everywire.js';
const folder = temporaryFolder('token');
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, `${keys.reader}\n`);

const call = (args: readonly string[], env?: Record<string, string>) => command(['call', APP, ...args], { env });

describe.concurrent('the command line', () => {
  it(proves('access.command-line', 'a stranger gets exit code 77, and both ways out'), async () => {
    const { stdout, stderr, code } = await call(['Read', '--id', '1']);
    expect({ stdout, code }).toEqual({ stdout: '{"error":"Authentication is required"}', code: 77 });
    expect(stderr).toContain('EVERYWIRE_TOKEN');
    expect(stderr).toContain('--token-file <file>');
  });

  it(proves('access.command-line', 'a missing scope is exit code 77, too'), async () => {
    const { stdout, code } = await call(['Read', '--id', '1'], { EVERYWIRE_TOKEN: keys.nobody });
    expect({ stdout, code }).toEqual({ stdout: '{"error":"This needs the scope read"}', code: 77 });
  });

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

  it(proves('access.command-line', '--token-file may come before the module'), async () => {
    const ran = await command(['call', '--token-file', tokenFile, APP, 'Read', '--id', '1']);
    expect(ran).toMatchObject({ stdout: '{"result":"1"}', code: 0 });
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

  it(proves('access.command-line', 'a stranger gets results that are errors, with the code'), async () => {
    const [, read, resource, prompt, open] = await talk([]);
    expect(read!['result']).toMatchObject({
      isError: true,
      _meta: { 'everywire/error': { code: 'UNAUTHENTICATED', details: { scopes: ['read'] } } },
    });
    for (const denied of [resource, prompt])
      expect(denied!['error']).toMatchObject({ code: -32600, data: { code: 'UNAUTHENTICATED' } });
    expect(open!['result'].structuredContent.result).toMatchObject({ id: 'anonymous' });
  });

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
