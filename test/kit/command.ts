import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { App } from 'everywire';
import { startEverywire } from '../../dist/bin/run-everywire.js';
import { startModule } from '../../dist/bin/run-module.js';
import type { Process, ProcessEvents } from '../../src/bin/process.ts';

// Runs commands in this process: 2 ms instead of 200. What is about descriptors, signals, pipes, terminals or a process that is
// ended from inside needs a real one: `run` in wires/cli.ts, `runCgi` in wires/cgi.ts. An app that was loaded stays loaded.

export interface CommandOptions {
  readonly input?: string | Uint8Array;
  /** In addition to the variables of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** What a command printed, and its exit code. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

const EVERYWIRE = resolve('dist/bin/everywire.js');

/** Runs `everywire <args>`. */
export function command(args: readonly string[], { env, ...options }: CommandOptions = {}): Promise<Ran> {
  const proc = new TestProcess([process.execPath, EVERYWIRE, ...args], { ...options, env: { ...process.env, ...env } });
  return proc.run(() => startEverywire(proc));
}

/** Runs `<app> <args>`, as `app.run` does. */
export function appCommand(
  app: App | (() => Promise<unknown>),
  args: readonly string[],
  { env, ...options }: CommandOptions = {},
): Promise<Ran> {
  const proc = new TestProcess([process.execPath, '/bin/app.js', ...args], {
    ...options,
    env: { ...process.env, ...env },
  });
  return proc.run(() => startModule(proc, typeof app === 'function' ? app : async () => app));
}

/** Responds to a request as `everywire cgi <module>` does, or an app that is a command. It sees only these variables. */
export function cgi(
  app: App | string,
  variables: Readonly<Record<string, string>>,
  body?: string | Uint8Array,
  args: readonly string[] = [],
): Promise<Ran> {
  const env = { PATH: process.env['PATH'], GATEWAY_INTERFACE: 'CGI/1.1', SERVER_PROTOCOL: 'HTTP/1.1', ...variables };
  const isModule = typeof app === 'string';
  const words = isModule ? [EVERYWIRE, 'cgi', app, ...args] : ['/bin/app.js', 'cgi', ...args];
  const proc = new TestProcess([process.execPath, ...words], { env, ...(body !== undefined && { input: body }) });
  return proc.run(() => (isModule ? startEverywire(proc) : startModule(proc, async () => app)));
}

/** A process that exists only for its command. Neither its stdout nor its stderr is a terminal. */
class TestProcess implements Process {
  readonly program = [process.execPath, EVERYWIRE] as const;
  readonly env: Record<string, string | undefined>;
  readonly cwd: string;
  readonly state = {};
  readonly ended: Promise<number>;
  readonly #input: Buffer;
  readonly #out: Buffer[] = [];
  readonly #err: Buffer[] = [];
  readonly #listeners = new Map<keyof ProcessEvents, ProcessEvents[keyof ProcessEvents][]>();
  #read = 0;
  #isEnding = false;
  #stdin: Readable | undefined;
  #settle!: (code: number) => void;
  #fail!: (thrown: unknown) => void;

  constructor(
    readonly argv: readonly string[],
    { input = '', env, cwd = process.cwd() }: CommandOptions,
  ) {
    this.#input = Buffer.from(input);
    this.env = { ...env };
    this.cwd = resolve(cwd);
    this.ended = new Promise((settle, fail) => {
      this.#settle = settle;
      this.#fail = fail;
    });
  }

  /** Until the command has ended. A bug of ours rejects, unless the command answers also then. */
  async run(start: () => Promise<void>): Promise<Ran> {
    start().catch((thrown: unknown) => {
      const [listener] = this.#listenersOf('uncaught');
      if (listener) listener(thrown);
      else this.#fail(thrown);
    });
    const code = await this.ended;
    return { stdout: Buffer.concat(this.#out).toString(), stderr: Buffer.concat(this.#err).toString(), code };
  }

  get stdin(): Readable {
    return (this.#stdin ??= this.#input.length > 0 ? Readable.from([this.#input]) : Readable.from([]));
  }

  get stdout(): never {
    throw new Error('stdout is not a terminal: it has to be claimed');
  }

  readonly stderr = { write: (text: string | Uint8Array) => this.#err.push(Buffer.from(text)) };

  readonly resolve = (path: string) => path && resolve(this.cwd, path);

  isTerminal(): boolean {
    return false;
  }

  isInteractive(): boolean {
    return false;
  }

  async claimStdout(): ReturnType<Process['claimStdout']> {
    return this.claimStdoutSync();
  }

  claimStdoutSync(): ReturnType<Process['claimStdoutSync']> {
    return {
      write: (text, done) => {
        this.#out.push(Buffer.from(text));
        done?.();
      },
    };
  }

  claimStdin(): Readable {
    return this.stdin;
  }

  readonly readStdin = (bytes: Uint8Array, at: number): number => {
    const count = this.#input.copy(bytes, at, this.#read);
    this.#read += count;
    return count;
  };

  /** The output is always read. */
  onWriteError(): void {}

  printError(message: string): void {
    this.stderr.write(`error: ${message}\n`);
  }

  printWarning(message: string): void {
    this.stderr.write(`warning: ${message}\n`);
  }

  on<Event extends keyof ProcessEvents>(event: Event, listener: ProcessEvents[Event]): () => void {
    this.#listeners.set(event, [listener, ...this.#listenersOf(event)]);
    return () => {
      const others = this.#listenersOf(event).filter((one) => one !== listener);
      this.#listeners.set(event, others);
    };
  }

  #listenersOf<Event extends keyof ProcessEvents>(event: Event): ProcessEvents[Event][] {
    return (this.#listeners.get(event) ?? []) as ProcessEvents[Event][];
  }

  end(code: number): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    let exitCode = code;
    for (const listener of this.#listenersOf('exit')) exitCode = listener(exitCode) ?? exitCode;
    this.#settle(exitCode);
  }
}
