import { fork, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cases, type Growth } from './cases.ts';
import type { Measured } from './judge.ts';
import { sizeOf, toMessage } from './to-message.ts';

export interface Job {
  readonly name: string;
  readonly wire: string;
  readonly n: number;
  readonly runs: number;
}

/** Sends requests to a child process. Kills it if it takes too long, and starts a new one for the next request. */
interface Measurer {
  /** Undefined if the process did not respond in time, or died. */
  measure(job: Job): Promise<Measured | undefined>;
  close(): void;
}

/** Milliseconds after which a request counts as hanging. */
const NEVER = 10_000;

/** All wires in one process: app.call, app.fetch, MCP over it, and a server on a socket. */
export class WorkerMeasurer implements Measurer {
  #child: ChildProcess | undefined;
  /** Milliseconds for the JSON of 1 MiB. */
  yardstick = 0;

  async measure(job: Job): Promise<Measured | undefined> {
    const child = (this.#child ??= await this.#start());
    const measured = await inTime<Measured>(child, (settle) => {
      child.once('message', (message) => settle(message as Measured));
      child.send(job);
    });
    if (!measured) this.#child = undefined;
    return measured;
  }

  close(): void {
    this.#child?.kill('SIGKILL');
  }

  async #start(): Promise<ChildProcess> {
    const child = fork('test/reliability/growth/worker.mjs', {
      execArgv: ['--max-old-space-size=1024'],
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    const { yardstick } = await new Promise<{ yardstick: number }>((resolve, reject) => {
      child.once('message', (message) => resolve(message as { yardstick: number }));
      child.once('exit', (code) => reject(new Error(`the worker ended with ${code} before it began`)));
    });
    this.yardstick = Math.max(this.yardstick, yardstick);
    return child;
  }
}

/** `everywire mcp`, one process for each of the two apps. */
export class StdioMeasurer implements Measurer {
  readonly #children = new Map<string, ChildProcess>();

  async measure({ name, n, runs }: Job): Promise<Measured | undefined> {
    const row = cases.find((one) => one.name === name) as Growth;
    const module = row.audited ? 'growth-audited' : 'growth';
    const sent = row.send(n);
    const line = `${toMessage(sent, '2025-11-25').body}\n`;
    const bytes = sizeOf(sent);
    let best: Measured | undefined;
    for (let done = 0, spent = 0; done < runs && spent < 300; done++) {
      const child = this.#children.get(module) ?? (await this.#start(module));
      const worked = workedBy(child);
      const start = performance.now();
      const answer = await inTime<number>(child, (settle) => {
        readLine(child).then(
          (text) => settle(text.length),
          () => {},
        );
        child.stdin?.write(line);
      });
      if (answer === undefined) {
        this.#children.delete(module);
        return undefined;
      }
      const wall = performance.now() - start;
      const ms = worked === undefined ? wall : Math.min(wall, workedBy(child)! - worked);
      spent += ms;
      if (!best || ms < best.ms) best = { bytes, answer, ms };
    }
    return best;
  }

  close(): void {
    for (const child of this.#children.values()) child.kill('SIGKILL');
  }

  async #start(module: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['dist/bin/everywire.js', 'mcp', `test/apps/${module}.ts`], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.on('error', () => {}); // it may be killed during a write
    lines.set(child, createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    this.#children.set(module, child);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'growth', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await readLine(child);
    return child;
  }
}

const lines = new WeakMap<ChildProcess, AsyncIterator<string>>();

async function readLine(child: ChildProcess): Promise<string> {
  const { value, done } = await lines.get(child)!.next();
  if (done) throw new Error('the process ended');
  return value;
}

/** CPU time of the main thread of a process in milliseconds, if the system reports it. */
function workedBy({ pid }: ChildProcess): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined; // not on Linux, or the process has just died
  }
}

function inTime<T>(child: ChildProcess, begin: (settle: (value: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), NEVER);
    const end = (value?: T) => {
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(value);
    };
    const onExit = () => end();
    child.once('exit', onExit);
    begin(end);
  });
}
