import { disowned } from './safely.ts';

/** Tells the time; to be pinned where the same bytes are wanted twice. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** The time by a clock, as text. One that is out of order must not stop an answer. */
export function timeBy(clock: Clock): string {
  return reliableClock(clock)().toISOString();
}

/** A clock that falls back to the system's when it fails. Told once, not on every answer. */
export function reliableClock(clock: Clock, onFailure: (thrown: unknown) => void = () => {}): Clock {
  if (clock === systemClock) return clock;
  let isFailing = false;
  return () => {
    try {
      const time = new Date(Date.prototype.getTime.call(disowned(clock())));
      time.toISOString(); // throws when there is no such time
      isFailing = false;
      return time;
    } catch (thrown) {
      if (!isFailing) onFailure(thrown);
      isFailing = true;
      return systemClock();
    }
  };
}
