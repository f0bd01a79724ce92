/** Milliseconds. Proxies close connections that are silent for longer. */
const KEEP_ALIVE = 15_000;

/** An event stream whose writer waits for its reader. */
export class PatientStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #keepAlive: ReturnType<typeof setInterval>;
  readonly #waiting = new Set<() => void>();
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOpen = true;

  constructor(
    /** If it is aborted, nothing waits any more. */
    private readonly signal: AbortSignal,
    /** Called once, when the stream has ended or its reader has left. */
    private readonly onEnd: () => void,
  ) {
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#wake(),
      cancel: () => this.#close(),
    });
    this.#keepAlive = setInterval(() => {
      if (this.#hasRoom) this.#enqueue(': keepalive\n\n');
    }, KEEP_ALIVE);
    (this.#keepAlive as { unref?: () => void }).unref?.(); // must not keep a process alive
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** Resolves when the text is written, or dropped because nobody waits for it any more. */
  async write(text: string): Promise<void> {
    while (this.#isOpen && !this.#hasRoom && !this.signal.aborted)
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    if (this.#isOpen && this.#hasRoom) this.#enqueue(text);
  }

  /** Ends the stream with a last text, which does not wait. */
  end(last: string | undefined): void {
    if (!this.#isOpen) return;
    if (last) this.#enqueue(last);
    this.#close();
    this.#controller.close();
  }

  get #hasRoom(): boolean {
    return (this.#controller.desiredSize ?? 0) > 0;
  }

  #enqueue(text: string): void {
    this.#controller.enqueue(this.#encoder.encode(text));
  }

  #wake(): void {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }

  #close(): void {
    this.#isOpen = false;
    clearInterval(this.#keepAlive);
    this.#wake();
    this.onEnd();
  }
}
