// A caller chooses how many names there are and how long they are; nobody mistypes one of a hundred letters.
const LONGEST = 100;

/** The candidate a person most likely meant by a mistyped word, if one is near enough. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = word.toLowerCase();
  // One slip is forgiven in a short word, a third of the letters in a long one.
  let best = Math.max(1, Math.floor(wanted.length / 3));
  let found: string | undefined;
  for (const candidate of candidates) {
    // Each letter more or less is a step at least; and nobody mistypes a word of a hundred kilobytes.
    if (Math.abs(candidate.length - wanted.length) > best) continue;
    const steps = distance(wanted, candidate.toLowerCase());
    // "x" is one step from "y", and yet nothing of it is left.
    if (steps >= Math.max(wanted.length, candidate.length)) continue;
    if (steps < best || (steps === best && found === undefined)) {
      best = steps;
      found = candidate;
    }
  }
  return found;
}

/** Edits (insert, delete, replace, swap neighbours) that turn one word into the other. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
