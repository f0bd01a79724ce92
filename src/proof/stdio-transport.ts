import { spawn } from 'node:child_process';
import { eachLine } from './each-line.ts';

type Listener = (message: never) => void;

/** Milliseconds that a server is given to end after its input has. */
const PATIENCE = 2000;

/**
 * A program that speaks MCP on its stdin and stdout. The SDK's own transport drops lines that are no messages; an audit
 * wants to see them.
 */
export class StdioTransport {
  onmessage?: Listener | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  #child: ReturnType<typeof start> | undefined;

  constructor(
    private readonly command: readonly [string, ...string[]],
    private readonly onStray: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    const child = (this.#child = start(this.command));
    child.stdin.on('error', () => {}); // a server that has ended is noticed by its end
    eachLine(child.stdout, (line) => this.#hear(line));
    child.once('close', () => this.onclose?.());
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  async send(message: unknown): Promise<void> {
    this.#child?.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin.end();
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    await ended;
    clearTimeout(timer);
  }

  #hear(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Told below, with everything else that is no message.
    }
    if ((message as { jsonrpc?: unknown } | null | undefined)?.jsonrpc === '2.0') this.onmessage?.(message as never);
    else if (line.trim() !== '') this.onStray(line.slice(0, 100));
  }
}

function start([program, ...args]: readonly [string, ...string[]]) {
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
}
