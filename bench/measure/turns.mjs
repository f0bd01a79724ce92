/**
 * Measures contenders in turns (A B C A B C), so that a machine that slows down slows all of them, and takes the median
 * of the rounds for each.
 */
export async function inTurns(contenders, rounds, measure) {
  const samples = new Map(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) samples.get(contender).push(await measure(contender));
  }
  return contenders.map((contender) => ({ name: contender.name, ...mediansOf(samples.get(contender)) }));
}

/** Of numbers, or of each number in records that are alike. */
function mediansOf(samples) {
  if (typeof samples[0] === 'number') return median(samples);
  if (Array.isArray(samples[0])) return samples[0].map((_, i) => median(samples.map((sample) => sample[i])));
  const keys = Object.keys(samples[0]);
  return Object.fromEntries(keys.map((key) => [key, mediansOf(samples.map((sample) => sample[key]))]));
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
