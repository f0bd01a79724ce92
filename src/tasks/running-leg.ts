import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { cancelled } from '../core/time-limit.ts';
import type { LegEnd } from './task-queue.ts';

/** Why a leg was ended before its function was done. */
type Reason = 'cancelled' | 'given back' | 'lost';

/** A leg while it runs in this process: what can end it from outside. */
export class RunningLeg {
  reason: Reason | undefined;
  /** How often the queue has handed it out. The last one to get it says to the queue how it ended. */
  holders = 0;
  ended!: Promise<LegEnd>;
  #listener: ((outcome: Failed) => void) | undefined;

  /** Aborts the function. Only the first reason counts. */
  end(reason: Reason): void {
    if (this.reason) return;
    this.reason = reason;
    this.#listener?.(outcomeOf(reason));
  }

  /** The pipeline registers late, if a call has to wait first. */
  onEnd(listener: (outcome: Failed) => void): void {
    this.#listener = listener;
    if (this.reason) listener(outcomeOf(this.reason));
  }
}

function outcomeOf(reason: Reason): Failed {
  if (reason === 'cancelled') return cancelled() as Failed;
  return refuse('UNAVAILABLE', reason === 'lost' ? 'Another process works on the task' : 'The process is stopping');
}
