import type { CallState } from './call-state.ts';
import type { Call } from './call.ts';
import type { Rejected } from './input-output.ts';
import type { RegisteredFunction } from './registered-function.ts';
import type { Report } from './report.ts';
import { isThenable, safely } from './safely.ts';

/** How the generator of a call ended. */
export type StreamEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  /** A chunk breaks its schema, or JSON cannot represent it. */
  | { readonly kind: 'invalid'; readonly chunk: Rejected }
  /** The call was answered before: it timed out, the client disconnected, or middleware did not wait. */
  | { readonly kind: 'stopped' };

/** Milliseconds for which a generator that waits for nothing may keep others from running. */
const MAX_BUSY = 10;

/**
 * Runs a generator to its end. Each chunk is checked and passed to the wire, and the generator is resumed when the wire
 * can take more: that is the backpressure. Throws what the generator throws.
 */
export async function drain(
  chunks: AsyncIterable<unknown>,
  fn: RegisteredFunction,
  state: CallState,
  report: Report,
): Promise<StreamEnd> {
  const pump = new Pump(chunks[Symbol.asyncIterator](), fn, state.parts.call, (thrown) => report.thrown(thrown, state));
  if (!state.onStop(() => pump.stop())) pump.stop();
  return pump.run();
}

class Pump {
  #hasEnded = false;
  #isStopped = false;
  /** Ends the wait for a wire that may never be ready. Promise.race would keep memory for every chunk until the end. */
  #wake: (() => void) | undefined;

  constructor(
    private readonly iterator: AsyncIterator<unknown>,
    private readonly fn: RegisteredFunction,
    private readonly call: Call,
    private readonly onFailure: (thrown: unknown) => void,
  ) {}

  async run(): Promise<StreamEnd> {
    const { fn, call } = this;
    let last: unknown;
    let rested = performance.now();
    while (!this.#isStopped) {
      const next = await this.#advance();
      if (this.#isStopped) break;
      if (next.done) {
        this.#hasEnded = true;
        const isAnswer = next.value !== undefined || fn.returned.kind === 'none';
        return { kind: 'returned', value: isAnswer ? next.value : last };
      }
      last = next.value;
      const released = fn.releaseChunk(last);
      const chunk = released instanceof Promise ? await released : released;
      if (this.#isStopped) break;
      if (chunk.problems) {
        this.stop();
        return { kind: 'invalid', chunk };
      }
      const taken = call.onChunk?.(chunk.value);
      if (isThenable(taken)) await this.#untilTaken(taken);
      if (performance.now() - rested < MAX_BUSY) continue;
      // Without this, the time limit would never end `for (;;) yield 1`, and no other call would run.
      await new Promise((resolve) => setTimeout(resolve));
      rested = performance.now();
    }
    return { kind: 'stopped' };
  }

  /** The call has its answer: closes the generator. */
  stop(): void {
    if (this.#hasEnded) return;
    this.#isStopped = this.#hasEnded = true;
    const closed = this.#close();
    safely(() => this.call.onClosing?.(closed)); // a wire that throws must not keep the call from its answer
    this.#wake?.();
  }

  async #advance(): Promise<IteratorResult<unknown, unknown>> {
    try {
      return await this.iterator.next();
    } catch (thrown) {
      this.#hasEnded = true;
      throw thrown;
    }
  }

  #untilTaken(taken: PromiseLike<unknown>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      taken.then(() => resolve(), reject);
    });
  }

  /** A suspended generator runs its `finally` at once, a busy one when it comes to its next `yield`. */
  async #close(): Promise<void> {
    try {
      await this.iterator.return?.();
    } catch (thrown) {
      this.onFailure(thrown);
    }
  }
}
