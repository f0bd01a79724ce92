const MORE = '\n… and more';

/** Collects lines up to a number of UTF-8 bytes; a last line says if there were more. */
export class Page {
  readonly #lines: string[] = [];
  /** Characters that still fit, at best: each takes at least one byte. */
  #room: number;
  #isCut = false;

  constructor(private readonly longest: number) {
    this.#room = longest;
  }

  get room(): number {
    return this.#room;
  }

  /** Whether there is room for another line. If not, the page counts as cut. */
  takesMore(): boolean {
    if (this.#room < 0) this.#isCut = true;
    return !this.#isCut;
  }

  add(line: string): void {
    if (!this.takesMore()) return;
    if (line.length > this.#room) this.#isCut = true;
    this.#lines.push(this.#isCut ? line.slice(0, this.#room) : line);
    this.#room -= line.length + 1;
  }

  get text(): string {
    const text = this.#lines.join('\n');
    // UTF-8 needs at most three bytes for a UTF-16 code unit.
    if (text.length * 3 <= this.longest && !this.#isCut) return text;
    const encoder = new TextEncoder();
    const bytes = new Uint8Array(Math.min(this.longest, text.length * 3));
    if (!this.#isCut && encoder.encodeInto(text, bytes).read === text.length) return text;
    const { read } = encoder.encodeInto(text, bytes.subarray(0, this.longest - encoder.encode(MORE).length));
    return text.slice(0, read) + MORE;
  }
}
