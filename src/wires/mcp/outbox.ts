import type { Writable } from 'node:stream';

/** Messages are held back to be written together: so many characters, for so many milliseconds. */
const MAX_HELD = 65_536;
const MAX_HOLD_TIME = 5;

/** Characters per write. Only a completed write shows that the client still reads. */
const PIECE = 65_536;

/** Characters that may wait for the client before droppable messages are dropped. */
const MAX_WAITING = 1_048_576;

/** Whether everything was written; `cut` if the client stopped reading, `gone` if it has disconnected. */
export type Written = 'all' | 'cut' | 'gone';

/** Messages for a client that may read slowly. They are written in order, and as fast as the client reads. */
export class Outbox {
  /** Responses to one chunk of input are written together, unless there are many or it takes long. */
  #held: string | undefined;
  #heldSince = 0;
  /** Text for which the output has no room, and its length. */
  #waiting: string[] = [];
  #waitingSize = 0;
  #isFull = false;
  /** Unique messages among those that wait. */
  readonly #unique = new Set<string>();
  readonly #waitingForRoom = new Set<() => void>();
  #onProgress: () => void = () => {};
  #onEmpty: () => void = () => {};

  constructor(
    private readonly output: Writable,
    /** Called when the output has no more room, and when it has room again. */
    private readonly onFull: (isFull: boolean) => void,
  ) {
    output.on('drain', () => this.#flush());
  }

  /** Holds messages back until they are released. */
  hold(): void {
    this.#release('');
  }

  release(): void {
    this.#release(undefined);
  }

  /** Writes a response or a request, which is never dropped. */
  write(message: string): void {
    const line = `${message}\n`;
    if (this.#held === undefined) return this.#send(line);
    this.#held += line;
    if (this.#held.length > MAX_HELD || Date.now() - this.#heldSince > MAX_HOLD_TIME) this.#release('');
  }

  /** Drops the message while too much waits for the client. */
  writeDroppable(message: string): void {
    if (this.#waitingSize < MAX_WAITING) this.write(message);
  }

  /** Drops the message if the same one waits for the client. */
  writeUnique(message: string): void {
    const line = `${message}\n`;
    if (this.#held !== undefined) this.#release('');
    if (this.#isFull) {
      if (this.#unique.has(line)) return;
      this.#unique.add(line);
    }
    this.#send(line);
  }

  /** Resolves when the output has room: at once, unless the client reads slowly. Never, once the client is gone. */
  async hasRoom(): Promise<void> {
    if (this.#isFull) await new Promise<void>((resolve) => this.#waitingForRoom.add(resolve));
  }

  /** Writes what waits, as long as the client reads at least one piece per `timeout` milliseconds. */
  end(timeout: number): Promise<Written> {
    this.release();
    return new Promise((resolve) => {
      const { output } = this;
      if (output.destroyed) return resolve('gone');
      const timer = setTimeout(() => {
        resolve('cut');
        output.destroy();
      }, timeout);
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
    this.#waitingSize += text.length;
    if (!this.#isFull) this.#flush();
  }

  #put(piece: string): void {
    if (this.output.write(piece) || this.#isFull) return;
    this.#isFull = true;
    this.onFull(true);
  }

  /** Writes what waits, as far as the output has room. */
  #flush(): void {
    const wasFull = this.#isFull;
    this.#isFull = false;
    this.#onProgress();
    while (!this.#isFull && this.#waiting.length > 0) this.#put(this.#next());
    if (this.#isFull || this.#waiting.length > 0) return;
    if (wasFull) this.onFull(false);
    for (const resume of this.#waitingForRoom) resume();
    this.#waitingForRoom.clear();
    this.#onEmpty();
  }

  /** Takes the next piece of what waits. */
  #next(): string {
    let piece = '';
    let taken = 0;
    for (const text of this.#waiting) {
      const room = PIECE - piece.length;
      if (text.length > room) {
        const cut = isSurrogatePairAt(text, room) ? room + 1 : room;
        piece += text.slice(0, cut);
        this.#waiting[taken] = text.slice(cut);
        // Its beginning is written: the same one must be written again.
        this.#unique.delete(text);
        break;
      }
      piece += text;
      taken++;
      this.#unique.delete(text);
    }
    this.#waiting.splice(0, taken);
    this.#waitingSize -= piece.length;
    return piece;
  }
}

/** Whether a cut would separate a surrogate pair, which UTF-8 could not encode. */
function isSurrogatePairAt(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
