import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const call = (id: number, name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: `functions.${name}`, arguments: given },
});

interface Heard {
  readonly messages: { id?: unknown; result?: any; error?: { code: number } }[];
  readonly code: number | null;
  readonly stderr: string;
}

/** Writes lines to a server and reads its output until it ends. */
function talk(
  lines: readonly (object | string)[],
  { end = true, signal }: { end?: boolean; signal?: NodeJS.Signals } = {},
  shell?: string,
): Promise<Heard> {
  return new Promise((resolve) => {
    const command = `exec ${process.execPath} dist/bin/everywire.js mcp test/apps/mcp.ts`;
    const child = spawn('bash', ['-c', shell ? shell.replace('$', () => command) : command]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
      if (signal && stdout.includes('"hello"')) child.kill(signal);
    });
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.stdin.on('error', () => {});
    for (const line of lines) child.stdin.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`);
    if (end) child.stdin.end();
    child.once('close', (code) =>
      resolve({
        // Every line must be a message, whatever the app prints.
        messages: stdout
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Heard['messages'][number]),
        code,
        stderr,
      }),
    );
  });
}

describe('MCP on stdio', () => {
  it(proves('mcp.stdio', 'requests before the end of the input get a response, and the process ends'), async () => {
    const { messages, code } = await talk([hello, call(1, 'Length', { text: 'abc' }), call(2, 'Count')]);
    expect(code).toBe(0);
    expect(messages.find(({ id }) => id === 1)?.result.structuredContent).toEqual({ result: 3 });
    expect(messages.find(({ id }) => id === 2)?.result.structuredContent).toEqual({ result: 3 });
  });

  it.each([
    ['a socket, as hosts give it', undefined],
    ['a pipe', '$ | cat'],
    ['a file', 'f=$(mktemp); ($) > "$f"; cat "$f"; rm "$f"'.replace('$(mktemp)', '`mktemp`')],
  ])(
    proves('mcp.stdio', 'into %s, nothing but messages, whatever the app and its children print'),
    async (_where, shell) => {
      const { messages, stderr } = await talk([hello, call(1, 'Noise'), call(2, 'Length', { text: 'a' })], {}, shell);
      expect(messages.find(({ id }) => id === 1)?.result.structuredContent).toEqual({ result: 'ok' });
      expect(messages).toHaveLength(3);
      for (const noise of ['console.log', 'stdout', 'a child']) expect(stderr).toContain(`noise from ${noise}`);
    },
  );

  it.runIf(process.platform === 'linux').each([
    ['stderr is a socket too', 'pipe'],
    ['stderr is a device', 'ignore'],
  ] as const)(
    proves('mcp.stdio', 'a socket is moved aside without a second process, where %s'),
    async (_where, stderr) => {
      const child = spawn(process.execPath, ['dist/bin/everywire.js', 'mcp', 'test/apps/mcp.ts'], {
        stdio: ['pipe', 'pipe', stderr],
      });
      child.stdin!.write(`${JSON.stringify(hello)}\n`);
      await once(child.stdout!, 'data');
      const link = (fd: number) => readlinkSync(`/proc/${child.pid}/fd/${fd}`);
      expect(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).toBe('');
      expect(link(1)).toBe(link(2));
      child.stdin!.end();
      await once(child, 'exit');
    },
  );

  it(proves('mcp.stdio', 'an invalid message is refused, and the next one is read'), async () => {
    const { messages, code } = await talk([
      hello,
      'not JSON\n',
      '[{"jsonrpc":"2.0","id":9,"method":"ping"}]\n',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}\n',
      '{"id":3,"method":"ping"}\n',
      '\n',
      `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}\n`,
      call(1, 'Length', { text: 'ab' }),
      '{"half',
    ]);
    expect(code).toBe(0);
    expect(messages.filter(({ error }) => error).map(({ error }) => error?.code)).toEqual([
      -32700, -32600, -32600, -32600, -32600,
    ]);
    expect(messages.find(({ id }) => id === 1)?.result.structuredContent).toEqual({ result: 2 });
  });

  it(
    proves('mcp.stdio', 'a line of 10 MB is refused, one of 3 MB is accepted, and many get responses in order'),
    async () => {
      const many = Array.from({ length: 500 }, (_, i) => call(i + 10, 'Length', { text: 'x'.repeat(2000) }));
      const { messages } = await talk([
        hello,
        call(1, 'Length', { text: 'x'.repeat(10_000_000) }),
        call(2, 'Length', { text: 'x'.repeat(3_000_000) }),
        ...many,
      ]);
      expect(messages.filter(({ error }) => error).map(({ error }) => error?.code)).toEqual([-32600]);
      expect(messages.find(({ id }) => id === 2)?.result.structuredContent).toEqual({ result: 3_000_000 });
      expect(messages).toHaveLength(many.length + 3);
    },
  );

  it(proves('mcp.stdio', 'SIGTERM ends it'), async () => {
    expect((await talk([hello], { end: false, signal: 'SIGTERM' })).code).toBe(0);
  });
});
