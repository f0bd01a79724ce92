/** The number of tries, each of which costs two calls, and the milliseconds for all of them. */
const MAX_TRIES = 300;
const MAX_TIME = 5000;

/** Finds a smaller value for which `holds` is still true, by removing fields, items and characters. */
export async function shrink(value: unknown, holds: (smaller: unknown) => Promise<boolean>): Promise<unknown> {
  let best = value;
  let tries = 0;
  const end = performance.now() + MAX_TIME;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smallerThan(best)) {
      if (++tries > MAX_TRIES || performance.now() > end) return best;
      if (!(await holds(candidate))) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

function* smallerThan(value: unknown): Generator {
  if (typeof value === 'string' && value.length > 1) {
    yield value.slice(0, value.length >> 1);
    yield value.slice(value.length >> 1);
    if (value.length <= 8) yield value.slice(1);
  } else if (Array.isArray(value)) {
    if (value.length > 3) {
      yield value.slice(0, value.length >> 1);
      yield value.slice(value.length >> 1);
    }
    for (const [i, item] of value.entries()) {
      yield value.toSpliced(i, 1);
      for (const inner of smallerThan(item)) yield value.with(i, inner);
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [i, [name, inner]] of entries.entries()) {
      yield Object.fromEntries(entries.toSpliced(i, 1));
      for (const smaller of smallerThan(inner)) yield Object.fromEntries(entries.with(i, [name, smaller]));
    }
  }
}
