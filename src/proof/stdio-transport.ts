import { spawn } from 'node:child_process';
import { eachLine } from './each-line.ts';

type Listener = (message: never) => void;

/** Milliseconds in which a server must exit after its stdin has ended. */
const EXIT_TIMEOUT = 2000;

/** An MCP server as a child process. Unlike the transport of the MCP SDK, it reports lines that are not messages. */
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
    child.stdin.on('error', () => {}); // the exit event reports it
    eachLine(child.stdout, (line) => this.#receive(line));
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
    const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_TIMEOUT);
    await ended;
    clearTimeout(timer);
  }

  #receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Reported below, like everything else that is not a message.
    }
    if ((message as { jsonrpc?: unknown } | null | undefined)?.jsonrpc === '2.0') this.onmessage?.(message as never);
    else if (line.trim() !== '') this.onStray(line.slice(0, 100));
  }
}

function start([program, ...args]: readonly [string, ...string[]]) {
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
}
