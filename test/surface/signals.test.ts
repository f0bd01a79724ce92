import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

// If stdout is a file, the command is respawned (see src/stdout/README.md), and the first process forwards signals. Ctrl+C in
// a terminal reaches both processes, like the signal to their process group here.

function start(...args: readonly string[]) {
  const path = join(temporaryFolder('signals'), 'out');
  const out = openSync(path, 'w');
  const child = spawn(process.execPath, ['dist/bin/everywire.js', ...args], {
    stdio: ['pipe', out, 'ignore'],
    detached: true,
  });
  const ended = new Promise<number | string | null>((done) =>
    child.once('exit', (code, signal) => done(code ?? signal)),
  );
  return { child, ended, read: () => readFileSync(path, 'utf8') };
}

describe.concurrent('^C', () => {
  it(proves('mcp.stdio', 'once lets the call in progress end, though stdout is a file'), async () => {
    const { child, ended, read } = start('mcp', 'test/apps/mcp.ts');
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const call = { name: 'functions.Count', arguments: {}, _meta: { progressToken: 1 } };
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })}\n`);
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })}\n`);
    await expect.poll(read, { timeout: 20_000 }).toContain('step 1');
    process.kill(-child.pid!, 'SIGINT');
    expect(await ended).toBe(0);
    expect(read()).toContain('{"result":3}');
  });

  it.each([
    ['of both processes', -1],
    ['of the first process alone, which forwards it', 1],
  ])(proves('cli.exit', 'cancels a call, and its answer is written: %s'), async (_title, sign) => {
    const begun = join(temporaryFolder('begun'), 'begun');
    const { child, ended, read } = start('call', 'test/apps/patient.ts', 'Wait', '--file', begun);
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    process.kill(sign * child.pid!, 'SIGINT');
    expect([await ended, read()]).toEqual([130, '{"error":"Cancelled by the caller"}']);
  });
});

// Node gives its child processes sockets. Duplicating one uses deprecated API (src/stdout/dup-socket.ts).

const PRINTING = `import { createApp, defineFunction } from 'everywire';
console.log('printed by the app');
const parent = defineFunction({ name: 'Parent', description: 'The parent process', output: { type: 'integer', description: 'Its id' }, run: () => process.ppid });
export default createApp({ name: 'Sockets', version: '1.0.0', functions: [parent] });
`;

describe('a socket as stdout', () => {
  it(proves('cli.exact', 'is duplicated in this process, and nothing is said about it'), async () => {
    const module = join(temporaryFolder('sockets'), 'app.mjs');
    writeFileSync(module, PRINTING.replace("'everywire'", `'${join(process.cwd(), 'dist/index.js')}'`));
    const command = ['dist/bin/everywire.js', 'call', module, 'Parent', '--json'];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    // A second process would have the first one as its parent.
    expect([JSON.parse(stdout), stderr]).toEqual([{ result: process.pid }, 'printed by the app\n']);
  });
});
