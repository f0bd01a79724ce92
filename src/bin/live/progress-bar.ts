import type { Progress } from '../../core/context.ts';
import { widthOf } from '../../responses/columns.ts';
import type { Process, Screen } from '../process.ts';
import { progressLine, waitLine } from './progress-line.ts';

/** Milliseconds between two drawings. */
const INTERVAL = 100;

/** Whether stderr is a terminal on which a line can be drawn again. */
export const canDraw = (proc: Process) => proc.isTerminal(2) && proc.env['TERM'] !== 'dumb';

/**
 * A line on stderr that shows progress and leaves nothing behind. It is drawn with \r and spaces, without escape sequences.
 * Whatever else is printed on the terminal meanwhile takes its place first, so writes to it are watched.
 */
export class ProgressBar {
  readonly #write: (text: string) => void;
  readonly #restore: (() => void)[] = [];
  #start = performance.now();
  #progress: Progress | undefined;
  #waitsFor: string | undefined;
  /** Columns that are drawn now. */
  #width = 0;
  #drawnAt = -Infinity;
  /** Whether text without a line break was printed: a bar would overwrite it. */
  #isInLine = false;
  #isPaused = false;
  readonly #timer = setInterval(() => this.#draw(), INTERVAL).unref();

  constructor(private readonly proc: Process) {
    const { stderr } = proc;
    this.#write = stderr.write.bind(stderr);
    // Both may show the same screen.
    for (const terminal of proc.isInteractive() ? [stderr, proc.stdout] : [stderr]) this.#watch(terminal);
  }

  readonly update = (progress: Progress): void => {
    this.#progress = progress;
    // Also from code that does not let timers run.
    if (performance.now() - this.#drawnAt >= INTERVAL) this.#draw();
  };

  /** Shows what is waited for until there is progress, and the time since something began elsewhere, in milliseconds ago. */
  wait(what: string, ago: number): void {
    this.#waitsFor = what;
    this.#start = performance.now() - Math.max(0, ago);
  }

  /** Shows no bar while something else uses the terminal, such as a question. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#isPaused = true;
    this.#erase();
    try {
      return await work();
    } finally {
      this.#isPaused = false;
    }
  }

  end(): void {
    clearInterval(this.#timer);
    this.#erase();
    for (const restore of this.#restore) restore();
  }

  #draw(): void {
    if ((!this.#progress && !this.#waitsFor) || this.#isInLine || this.#isPaused) return;
    this.#drawnAt = performance.now();
    // The last column stays free: some terminals would begin a new line.
    const columns = Math.max(1, (this.proc.stderr.columns || 80) - 1);
    const elapsed = this.#drawnAt - this.#start;
    const line = this.#progress
      ? progressLine(this.#progress, elapsed, columns)
      : waitLine(this.#waitsFor!, elapsed, columns);
    const width = widthOf(line);
    this.#write(`\r${line}${' '.repeat(Math.max(0, this.#width - width))}`);
    this.#width = width;
  }

  #erase(): void {
    if (this.#width > 0) this.#write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }

  #watch(terminal: Screen): void {
    const { write } = terminal;
    terminal.write = (text: string | Uint8Array, ...rest: never[]) => {
      if (text.length > 0) {
        this.#erase();
        this.#isInLine = text.at(-1) !== '\n' && text.at(-1) !== 10;
      }
      return write.call(terminal, text, ...rest);
    };
    this.#restore.push(() => (terminal.write = write));
  }
}
