import type { CallState } from './call-state.ts';
import { Gate } from './gate.ts';
import type { Turn } from './gate.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** The gates of functions with `concurrent`. */
export class FunctionGates {
  readonly #gates = new Map<RegisteredFunction, FunctionGate>();

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
    return new Passage(own, outer ? undefined : app);
  }

  #gateOf(fn: RegisteredFunction): FunctionGate {
    const found = this.#gates.get(fn);
    if (found) return found;
    const gate = new FunctionGate(fn.definition.concurrent!, this.queued);
    this.#gates.set(fn, gate);
    this.lifecycle.watch(gate);
    return gate;
  }
}

/** The gate of a function, and its calls that are inside of it, but wait for the gate of the app. */
class FunctionGate extends Gate {
  readonly parked = new Set<Passage>();
}

/** The way of one call through the gate of its function, and then through that of the app, unless it is inside of it already. */
export class Passage {
  /** Those that it has passed. */
  readonly #passed: Gate[] = [];
  #turn: Turn | undefined;
  #onYield: (() => void) | undefined;
  #hasLeft = false;

  constructor(
    private readonly own: FunctionGate,
    private readonly app: Gate | undefined,
  ) {}

  /** Resolves when the call is inside; to false if too many wait, or if it has left meanwhile. */
  async enter(): Promise<boolean> {
    const { own, app } = this;
    if (!app) return this.#takeParked() || this.#pass(own);
    for (;;) {
      if (!(await this.#pass(own))) return false;
      if (!app.busy) return this.#pass(app);
      const yielded = new Promise<undefined>((resolve) => (this.#onYield = () => resolve(undefined)));
      own.parked.add(this);
      const hasPassed = await Promise.race([this.#pass(app), yielded]);
      own.parked.delete(this);
      if (hasPassed !== undefined) return hasPassed;
    }
  }

  /** Whether inside or still waiting. */
  leave(): void {
    this.#hasLeft = true;
    this.own.parked.delete(this);
    this.#turn?.giveUp();
    for (const gate of this.#passed) gate.leave();
  }

  async #pass(gate: Gate): Promise<boolean> {
    if (gate.full) return false;
    if (gate.busy) {
      this.#turn = gate.wait(!this.app);
      await this.#turn.place;
      this.#turn = undefined;
    } else gate.enter();
    if (this.#hasLeft) {
      gate.leave();
      return false;
    }
    this.#passed.push(gate);
    return true;
  }

  /**
   * A nested call goes before others, and takes the place of one that waits for the gate of the app. Otherwise they could wait for
   * each other: calls that fill the gate of the app for the function, and one that is inside the function's gate for that of the app.
   */
  #takeParked(): boolean {
    if (!this.own.busy) return false;
    for (const parked of this.own.parked)
      if (parked.#yield()) {
        this.#passed.push(this.own);
        return true;
      }
    return false;
  }

  /** Waits for the function again. False if the gate of the app has let it in meanwhile. */
  #yield(): boolean {
    if (this.#turn?.giveUp() !== true) return false;
    this.#turn = undefined;
    this.#passed.pop();
    this.own.parked.delete(this);
    this.#onYield?.();
    return true;
  }
}
