import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it(proves('cli.exit', 'cancels a call, and its answer is written'), async () => {
    const begun = join(temporaryFolder('begun'), 'begun');
    const { child, ended, read } = start('call', 'test/apps/patient.ts', 'Wait', '--file', begun);
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    process.kill(-child.pid!, 'SIGINT');
    expect([await ended, read()]).toEqual([130, '{"error":"Cancelled by the caller"}']);
  });

  it(proves('cli.exit', 'of the first process alone is forwarded'), async () => {
    const begun = join(temporaryFolder('begun'), 'begun');
    const { child, ended, read } = start('call', 'test/apps/patient.ts', 'Wait', '--file', begun);
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    process.kill(child.pid!, 'SIGINT');
    expect([await ended, read()]).toEqual([130, '{"error":"Cancelled by the caller"}']);
  });
});
