/** Milliseconds between two paintings of something that changes all the time. */
const PACE = 100;

export interface Paced<T> {
  readonly show: (value: T) => void;
  /** Shows at once what waits. */
  readonly flush: () => void;
}

/** Shows the last of many values, ten times a second. */
export function paced<T>(paint: (value: T) => void): Paced<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: { readonly value: T } | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting) paint(waiting.value);
    waiting = undefined;
  };
  return {
    show(value) {
      waiting = { value };
      timer ??= setTimeout(flush, PACE);
    },
    flush,
  };
}
