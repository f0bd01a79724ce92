/** One request: its size, the size of its response, and the time in milliseconds. */
export interface Measured {
  readonly bytes: number;
  readonly answer: number;
  readonly ms: number;
}

/** Times below this many milliseconds are noise. */
const FLOOR = 2;
/** If the last time is below this, growth does not matter. */
export const HARMLESS = 25;
/** n·log n has an exponent of about 1.1 here; the rest allows for caches and garbage collection. */
const STEEPEST = 1.35;
/** Milliseconds per KiB that a request may block the event loop. */
const PER_KIB = 20;
/** The allowed time as a multiple of parsing and writing JSON of the same size; the slowest rows take half of it. */
const TIMES_JSON = 30;
/** A response may quote its request several times, and has fixed parts. */
const ANSWER = { fixed: 64 * 1024, times: 8 } as const;

/** Returns what is wrong with the growth, if anything. */
export function judge(measured: readonly Measured[], yardstick: number, times = TIMES_JSON): string | undefined {
  const last = measured.at(-1);
  if (!last) return 'nothing was measured';
  const blocking = measured.find(({ bytes, ms }) => ms > PER_KIB * Math.max(1, bytes / 1024));
  if (blocking) return `${blocking.bytes} bytes block the event loop for ${blocking.ms.toFixed(0)} ms`;
  const large = measured.find(({ bytes, answer }) => answer > ANSWER.fixed + ANSWER.times * bytes);
  if (large) return `${large.bytes} bytes are answered with ${large.answer}`;
  const steepness = steepnessOf(measured);
  if (last.ms > 1.5 * HARMLESS && steepness > STEEPEST) {
    return `time grows with the power ${steepness.toFixed(2)} of the size: ${listed(measured)}`;
  }
  const budget = HARMLESS + (yardstick * times * last.bytes) / 2 ** 20;
  if (last.ms > budget) return `${last.bytes} bytes take ${last.ms.toFixed(0)} ms, more than ${budget.toFixed(0)}`;
  return undefined;
}

/** The exponent with which time grows: the slope of a straight line through the logarithms of the last sizes. */
function steepnessOf(measured: readonly Measured[]): number {
  const points = measured.filter(({ ms }) => ms >= FLOOR).slice(-5);
  if (points.length < 3) return 0;
  const xs = points.map(({ bytes }) => Math.log(bytes));
  const ys = points.map(({ ms }) => Math.log(ms));
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const [x, y] = [mean(xs), mean(ys)];
  const covered = xs.reduce((sum, one, i) => sum + (one - x) * (ys[i]! - y), 0);
  return covered / xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
}

const listed = (measured: readonly Measured[]) =>
  measured.map(({ bytes, ms }) => `${bytes} bytes ${ms.toFixed(1)} ms`).join(', ');
