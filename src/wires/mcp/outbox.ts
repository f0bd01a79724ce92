import type { Writable } from 'node:stream';

/** What is held back to go out in one piece: so many letters, and for so many milliseconds. */
const MOST_HELD = 65_536;
const LONGEST_HELD = 5;

/** Letters that are given to the output at once. Only when a piece is gone is it known that somebody still reads. */
const PIECE = 65_536;

/** Letters that may wait for the reader before anything is dropped that the reader can do without. */
const MOST_WAITING = 1_048_576;

/** Whether everything was written; `cut` when the reader stopped reading, `gone` when there is none any more. */
export type Written = 'all' | 'cut' | 'gone';

/** Messages on their way to a reader that may be slow: each is written whole, in turn, and as fast as it is read. */
export class Outbox {
  /** What is written while a chunk of input is read goes out in one piece, unless there is much of it or it takes long. */
  #held: string | undefined;
  #heldSince = 0;
  /** What the output has no room for, and how much of the first is out already. */
  #waiting: string[] = [];
  #size = 0;
  #isFull = false;
  /** News that waits: to hear the same twice at once helps nobody. */
  readonly #news = new Set<string>();
  #onProgress: () => void = () => {};
  #onEmpty: () => void = () => {};

  constructor(
    private readonly output: Writable,
    /** Told when there is no room any more, and when there is again. */
    private readonly onFull: (isFull: boolean) => void,
  ) {
    output.on('drain', () => this.#go());
  }

  /** Holds messages back until they are released. */
  hold(): void {
    this.#release('');
  }

  release(): void {
    this.#release(undefined);
  }

  /** An answer, or a question: never dropped. */
  write(message: string): void {
    const line = `${message}\n`;
    if (this.#held === undefined) return this.#send(line);
    this.#held += line;
    if (this.#held.length > MOST_HELD || Date.now() - this.#heldSince > LONGEST_HELD) this.#release('');
  }

  /** Something about a call under way: dropped while too much is waiting for the reader. */
  mention(message: string): void {
    if (this.#size < MOST_WAITING) this.write(message);
  }

  /** A change: dropped if the reader has yet to hear of the very same. */
  announce(message: string): void {
    const line = `${message}\n`;
    if (this.#held !== undefined) this.#release('');
    if (this.#isFull) {
      if (this.#news.has(line)) return;
      this.#news.add(line);
    }
    this.#send(line);
  }

  /** Writes what is waiting, for as long as the reader goes on reading: at least a piece in so many milliseconds. */
  end(patience: number): Promise<Written> {
    this.release();
    return new Promise((resolve) => {
      const { output } = this;
      if (output.destroyed) return resolve('gone');
      const timer = setTimeout(() => {
        resolve('cut');
        output.destroy();
      }, patience);
      const finish = (how: Written) => {
        clearTimeout(timer);
        resolve(how);
      };
      output.once('close', () => finish('gone'));
      this.#onProgress = () => timer.refresh();
      this.#onEmpty = () => output.end((error?: Error | null) => finish(error ? 'gone' : 'all'));
      if (this.#waiting.length === 0) this.#onEmpty();
    });
  }

  #release(next: '' | undefined): void {
    const held = this.#held;
    this.#held = next;
    this.#heldSince = Date.now();
    if (held) this.#send(held);
  }

  #send(text: string): void {
    if (!this.#isFull && text.length <= PIECE) return this.#put(text);
    this.#waiting.push(text);
    this.#size += text.length;
    if (!this.#isFull) this.#go();
  }

  #put(piece: string): void {
    if (this.output.write(piece) || this.#isFull) return;
    this.#isFull = true;
    this.onFull(true);
  }

  /** The output has room. */
  #go(): void {
    const wasFull = this.#isFull;
    this.#isFull = false;
    this.#onProgress();
    while (!this.#isFull && this.#waiting.length > 0) this.#put(this.#next());
    if (this.#isFull || this.#waiting.length > 0) return;
    if (wasFull) this.onFull(false);
    this.#onEmpty();
  }

  /** The next piece of what is waiting. */
  #next(): string {
    let piece = '';
    let taken = 0;
    for (const text of this.#waiting) {
      const room = PIECE - piece.length;
      if (text.length > room) {
        const cut = isPairAt(text, room) ? room + 1 : room;
        piece += text.slice(0, cut);
        this.#waiting[taken] = text.slice(cut);
        break;
      }
      piece += text;
      taken++;
      this.#news.delete(text);
    }
    this.#waiting.splice(0, taken);
    this.#size -= piece.length;
    return piece;
  }
}

/** Whether a text would be cut between the halves of one letter, which UTF-8 could not carry apart. */
function isPairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
