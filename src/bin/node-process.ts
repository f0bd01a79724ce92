import { resolve } from 'node:path';
import { claimStdout, claimStdoutSync, flushStdout, isInteractive } from '../stdout/claim.ts';
import { isTerminalAt } from '../stdout/descriptor.ts';
import { printError, printWarning } from '../stdout/stderr.ts';
import { claimStdin, readStdin } from '../stdout/stdin.ts';
import { isTerminal } from '../stdout/terminal.ts';
import { onWriteError } from '../stdout/write.ts';
import type { Process, ProcessEvents } from './process.ts';

/** Node's names of the events. */
const EVENTS: Readonly<Record<keyof ProcessEvents, string>> = {
  uncaught: 'uncaughtException',
  rejection: 'unhandledRejection',
  idle: 'beforeExit',
  exit: 'exit',
  SIGHUP: 'SIGHUP',
  SIGINT: 'SIGINT',
  SIGTERM: 'SIGTERM',
};

/** The process that Node runs in. A command that ends ends it. */
export function nodeProcess(argv: readonly string[]): Process {
  let isEnding = false;
  let isExiting = false;
  let hasPrinted = false;
  let settle!: (code: number) => void;
  const ended = new Promise<number>((resolved) => {
    settle = resolved;
  });
  onWriteError(exit);

  return {
    argv,
    env: process.env,
    program: [process.execPath, ...process.execArgv, process.argv[1] ?? 'everywire'],
    // Node creates streams, and loads their modules, on first access.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      hasPrinted = true;
      return process.stderr;
    },
    state: {},
    get cwd() {
      return process.cwd();
    },
    resolve: (path) => path && resolve(path),
    isTerminal: (descriptor) => (descriptor === 1 ? isTerminal : isTerminalAt(descriptor)),
    isInteractive,
    claimStdout: (use) => claimStdout(use, exit),
    claimStdoutSync,
    claimStdin,
    readStdin,
    onWriteError,
    printError(message) {
      hasPrinted = true;
      printError(message);
    },
    printWarning(message) {
      hasPrinted = true;
      printWarning(message);
    },
    on(event, listener) {
      if (event === 'uncaught' || event === 'rejection') ignoreStderrErrors();
      const call = event === 'exit' ? onExit(listener as ProcessEvents['exit']) : (listener as () => void);
      if (event === 'exit') process.prependListener('exit', call);
      else process.on(EVENTS[event], call);
      return () => void process.off(EVENTS[event], call);
    },
    end(code) {
      // While Node exits, the result of an `exit` listener counts.
      if (isEnding || isExiting) return;
      isEnding = true;
      process.exitCode = code;
      settle(code);
      flushStdout(() => {
        // Node reports a promise that was rejected in this turn, and that nothing awaits, when the turn is over.
        setImmediate(() => {
          if (hasPrinted && process.stderr.writableLength > 0) process.stderr.write('', () => exit(code));
          else exit(code);
        });
      });
    },
    ended,
  };

  function onExit(listener: ProcessEvents['exit']): (code: number) => void {
    return (code) => {
      isExiting = true;
      const other = listener(code);
      if (other !== undefined) process.exitCode = other;
    };
  }
}

/** The only place that ends the process. */
function exit(code: number): never {
  process.exit(code);
}

let isIgnoring = false;

/**
 * The reader of stderr may be gone, and printing an error about that would fail again. A process that prints nothing should not
 * pay for the stream.
 */
function ignoreStderrErrors(): void {
  if (isIgnoring) return;
  isIgnoring = true;
  const property = Object.getOwnPropertyDescriptor(process, 'stderr');
  if (!property?.get) return void ignoreErrors(process.stderr);
  Object.defineProperty(process, 'stderr', {
    ...property,
    get() {
      Object.defineProperty(process, 'stderr', property);
      return ignoreErrors(process.stderr);
    },
  });
}

const ignoreErrors = (stream: NodeJS.WriteStream) => stream.on('error', () => {});
