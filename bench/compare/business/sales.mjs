import { setTimeout as sleep } from 'node:timers/promises';

/** A report that takes its time: one row after the other. */
export async function* salesOf(months) {
  for (let month = 1; month <= months; month++) {
    await sleep(150);
    yield { month, sales: month * 100 };
  }
}
