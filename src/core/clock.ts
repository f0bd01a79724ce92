import { handleRejection } from './safely.ts';

/** Returns the current time. Use a fixed one to get the same bytes twice. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** The current time in ISO 8601. Falls back to the system clock if the given one throws. */
export function timestampFrom(clock: Clock): string {
  return reliableClock(clock)().toISOString();
}

/** Falls back to the system clock if the given one throws. Reports the first failure, not every one. */
export function reliableClock(clock: Clock, onFailure: (thrown: unknown) => void = () => {}): Clock {
  if (clock === systemClock) return clock;
  let isFailing = false;
  return () => {
    try {
      const time = new Date(Date.prototype.getTime.call(handleRejection(clock())));
      time.toISOString(); // throws if the date is invalid
      isFailing = false;
      return time;
    } catch (thrown) {
      if (!isFailing) onFailure(thrown);
      isFailing = true;
      return systemClock();
    }
  };
}
