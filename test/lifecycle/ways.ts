import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { INITIALIZE, tool } from '../mcp/mcp-post.ts';

/** What the app is told in variables. */
export interface Orders {
  readonly START?: 'throw' | 'hang';
  readonly START_MS?: string;
  readonly STOP?: 'throw';
}

/** A process that serves the app, in one way. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly stderr: () => string;
  readonly stdout: () => string;
  /** What the app noted so far. */
  readonly notes: () => string[];
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** A way to run an app. `kind` decides how it is called, and what happens to a call on SIGTERM. */
export interface Way {
  readonly name: string;
  readonly kind: 'http' | 'mcp' | 'call' | 'cgi';
  /** The arguments of Node; the flags of the call are added. */
  readonly args: () => readonly string[];
  /** Whether the app is started before the first call. */
  readonly isEager: boolean;
}

/** Starts a process, and with `call` and `cgi` also the call. */
export function begin(way: Way, orders: Orders = {}, input: object = {}): Running {
  const notes = join(temporaryFolder('lifecycle'), 'notes');
  const variables = { NOTES: notes, ...orders };
  const flags = way.name.startsWith('embedded')
    ? []
    : Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const own = { http: ['--port', '0'], mcp: [], cgi: [], call: ['--input', JSON.stringify(input)] }[way.kind];
  const body = JSON.stringify(input);
  const cgi = { REQUEST_METHOD: 'POST', PATH_INFO: '/Run', CONTENT_LENGTH: String(body.length) };
  const child = spawn(process.execPath, [...way.args(), ...(way.name.startsWith('embedded') ? [] : own), ...flags], {
    env: { PATH: process.env['PATH'], ...variables, ...(way.kind === 'cgi' && cgi) },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {});
  if (way.kind === 'cgi') child.stdin.end(body);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    notes: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : []),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
  };
}

/** Waits until the app noted something. */
export async function noted({ notes, stderr }: Running, line: string): Promise<void> {
  await expect.poll(notes, { timeout: 30_000, message: stderr() }).toContain(line);
}

/** Makes a call, over HTTP or MCP; the others have made it when they started. Resolves to the text of the answer. */
export async function makeCall(way: Way, running: Running, input: object = {}): Promise<string> {
  if (way.kind === 'http') {
    const address = () => /http:\/\/[\d.:]+\/functions/.exec(running.stderr())?.[0];
    await expect.poll(address, { timeout: 30_000 }).toBeDefined();
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const response = await fetch(`${address()}/Run`, { method: 'POST', headers, body: JSON.stringify(input) });
    return response.text();
  }
  if (way.kind === 'mcp') {
    for (const message of [INITIALIZE, { jsonrpc: '2.0', id: 2, ...tool('Run', input) }])
      running.child.stdin.write(`${JSON.stringify(message)}\n`);
    await expect.poll(running.stdout, { timeout: 30_000 }).toContain('"id":2');
  }
  return running.stdout();
}
