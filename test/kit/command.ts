import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { App } from 'everywire';
import { startEverywire } from '../../dist/bin/run-everywire.js';
import { startModule } from '../../dist/bin/run-module.js';
import { loadModules } from '../../dist/load/load-app.js';
import type { Process, ProcessEvents } from '../../src/bin/process.ts';

// Runs commands in this process: 5 ms instead of 200. What is about descriptors, signals, pipes, terminals, or a function that ends
// or never ends its process needs a real one: `run` in wires/cli.ts, `runCgi` in wires/cgi.ts. Every run loads its own copy of a
// module, but not of what that imports. What code of the app prints itself is not captured.

export interface CommandOptions {
  readonly input?: string | Uint8Array | undefined;
  /** In addition to the variables of this process. */
  readonly env?: Variables | undefined;
  /** Instead of the variables of this process. */
  readonly variables?: Variables;
  readonly cwd?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** What a command printed, and its exit code. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

const EVERYWIRE = resolve('dist/bin/everywire.js');

/** Runs `everywire <args>`. */
export function command(args: readonly string[], options?: CommandOptions): Promise<Ran> {
  const proc = new TestProcess([process.execPath, EVERYWIRE, ...args], options);
  return proc.run(() => startEverywire(proc));
}

/** Runs `<name> <args>`, as `app.run` does; or as `run` of everywire/node does, if the app is the path of a module. */
export function appCommand(
  app: App | string,
  args: readonly string[],
  { name = 'app', ...options }: CommandOptions & { readonly name?: string } = {},
): Promise<Ran> {
  const proc = new TestProcess([process.execPath, `/bin/${name}.mjs`, ...args], options);
  return proc.run(() => startModule(proc, async () => (typeof app === 'string' ? proc.load(app) : app)));
}

/** The variables that every web server sets. */
export const CGI = { PATH: process.env['PATH'], GATEWAY_INTERFACE: 'CGI/1.1', SERVER_PROTOCOL: 'HTTP/1.1' };

/** Responds to a request, as `everywire cgi <module> <args>` or `<app> cgi <args>`. It sees only these variables. */
export function cgi(
  app: App | string,
  variables: Variables,
  body: string | Uint8Array = '',
  ...args: readonly string[]
): Promise<Ran> {
  const options = { variables: { ...CGI, ...variables }, input: body };
  return typeof app === 'string' ? command(['cgi', app, ...args], options) : appCommand(app, ['cgi', ...args], options);
}

let runs = 0;

/** A process that exists only for its command. Neither its stdout nor its stderr is a terminal. */
class TestProcess implements Process {
  readonly argv: readonly string[];
  readonly program = [process.execPath, EVERYWIRE] as const;
  readonly env: Record<string, string | undefined>;
  readonly cwd: string;
  readonly state = {};
  readonly moduleQuery = `?run=${++runs}`;
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

  constructor(argv: readonly string[], { input = '', env, variables = process.env, cwd = '' }: CommandOptions = {}) {
    this.argv = argv;
    this.#input = Buffer.from(input);
    this.env = { ...variables, ...env };
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

  async load(module: string): Promise<unknown> {
    return loadModules([{ path: this.resolve(module), shown: module, query: this.moduleQuery }]);
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
