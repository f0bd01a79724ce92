import type { Readable } from 'node:stream';
import type { Stdout, Use } from '../stdout/claim.ts';
import type { LoadedConfig } from './options/used-config.ts';

/** The listeners of a command, by event. */
export interface ProcessEvents {
  /** An exception that nothing caught. */
  readonly uncaught: (thrown: unknown) => void;
  /** A rejected promise that nothing awaits. */
  readonly rejection: (reason: unknown) => void;
  /** The event loop is empty: what the command waits for never happens. */
  readonly idle: () => void;
  /** The process ends, for any reason. Only synchronous code runs. A returned number becomes the exit code. */
  readonly exit: (code: number) => number | void;
  readonly SIGHUP: SignalListener;
  readonly SIGINT: SignalListener;
  readonly SIGTERM: SignalListener;
}

type SignalListener = (signal: NodeJS.Signals) => void;

/**
 * The process of one run of a command. Commands use this instead of Node's `process`, so that tests can run them without starting
 * one (test/kit/command.ts), also several at once.
 */
export interface Process {
  /** Node, the script, and the words after it. */
  readonly argv: readonly string[];
  readonly env: Record<string, string | undefined>;
  /** The words that start this program again. */
  readonly program: readonly [string, ...string[]];
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Only for a terminal: everything else is written to `claimStdout`. */
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Added to the URL of modules, if several runs in one process must not share them. */
  readonly moduleQuery?: string;
  /** State of this run that several steps need. */
  readonly state: RunState;
  readonly cwd: string;
  /** The absolute path of a path that was typed. An empty one stays empty: it names nothing. */
  readonly resolve: (path: string) => string;
  isTerminal(descriptor: 1 | 2): boolean;
  /** Whether a person sees what `stdout` prints. */
  isInteractive(): boolean;
  /** Keeps stdout for our own bytes (stdout/README.md). Await this before user code is loaded. */
  claimStdout(use: Use): Promise<Stdout>;
  /** Claims stdout synchronously, for code that runs before the app is loaded, or never loads one. */
  claimStdoutSync(): Stdout;
  /** Keeps stdin for the protocol: the app sees an ended stream. */
  claimStdin(): Readable;
  /** Reads stdin synchronously into the bytes from `at`. Returns how many were read: 0 at its end. */
  readonly readStdin: (bytes: Uint8Array, at: number) => number;
  /** Replaces the default of ending at once when the reader of stdout is gone. */
  onWriteError(listener: (code: number) => void): void;
  /** Prints a line with the label `error:` on stderr. */
  printError(message: string): void;
  /** Prints a line with the label `warning:` on stderr. */
  printWarning(message: string): void;
  /** Returns a function that removes the listener. Of several `exit` listeners, the newest runs first. */
  on<Event extends keyof ProcessEvents>(event: Event, listener: ProcessEvents[Event]): () => void;
  /**
   * Ends the command with this exit code, when everything printed is written. Only the first call counts. The app may hold timers
   * and sockets open, so a command that is done must call this.
   */
  end(code: number): void;
  /** Resolves with the exit code when the command has ended. */
  readonly ended: Promise<number>;
}

/** A stream that may be a terminal. */
export interface Screen {
  write: (text: string | Uint8Array, ...rest: never[]) => unknown;
  readonly columns?: number;
}

interface RunState {
  /** The token, once it is taken out of the environment. */
  token?: string;
  /** Where the credential that is presented is from. */
  credentialFrom?: 'EVERYWIRE_TOKEN' | 'the token file';
  /** The configuration file: the command of a function is parsed after that of `everywire call`. */
  config?: LoadedConfig;
}
