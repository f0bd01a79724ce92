import type { CallState } from './call-state.ts';
import { Gate } from './gate.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** The gates of functions with `concurrent`. */
export class FunctionGates {
  readonly #gates = new Map<RegisteredFunction, Gate>();

  constructor(
    private readonly queued: number,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * What a call has to pass: the gate of its function, then that of the app. A call that waits for a busy function must not take
   * the place of others meanwhile. Undefined inside a call of the same function, which would wait for itself.
   */
  passage(fn: RegisteredFunction, outer: CallState | undefined, app: Gate): Passage | undefined {
    for (let state = outer; state; state = state.parts.call.outer) if (state.parts.call.fn === fn) return undefined;
    const own = this.#gateOf(fn);
    // A nested call is inside the gate of the app already.
    return new Passage(outer ? [own] : [own, app]);
  }

  #gateOf(fn: RegisteredFunction): Gate {
    const found = this.#gates.get(fn);
    if (found) return found;
    const gate = new Gate(fn.definition.concurrent!, this.queued);
    this.#gates.set(fn, gate);
    this.lifecycle.watch(gate);
    return gate;
  }
}

/** The way of one call through several gates. */
export class Passage {
  /** Those that it has passed. */
  readonly #passed: Gate[] = [];
  #giveUp: (() => void) | undefined;
  #hasLeft = false;

  constructor(private readonly gates: readonly Gate[]) {}

  /** Resolves when the call is inside; to false if too many wait, or if it has left meanwhile. */
  async enter(): Promise<boolean> {
    for (const gate of this.gates) {
      if (gate.full) return false;
      if (gate.busy) {
        const turn = gate.wait();
        this.#giveUp = turn.giveUp;
        await turn.place;
        this.#giveUp = undefined;
      } else gate.enter();
      if (this.#hasLeft) {
        gate.leave();
        return false;
      }
      this.#passed.push(gate);
    }
    return true;
  }

  /** Whether inside or still waiting. */
  leave(): void {
    this.#hasLeft = true;
    this.#giveUp?.();
    for (const gate of this.#passed) gate.leave();
  }
}
