// Callers control the number and the length of the names; nobody mistypes a word of a hundred characters.
const LONGEST = 100;

/** The candidate that was most likely meant by a mistyped word, if one is close enough. */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const wanted = word.toLowerCase();
  // Allows one typo in a short word, and a third of the characters in a long one.
  let best = Math.max(1, Math.floor(wanted.length / 3));
  let found: string | undefined;
  for (const candidate of candidates) {
    // The distance is at least the difference in length. This also skips very long candidates.
    if (Math.abs(candidate.length - wanted.length) > best) continue;
    const steps = distance(wanted, candidate.toLowerCase());
    // "x" is one edit away from "y", but they have nothing in common.
    if (steps >= Math.max(wanted.length, candidate.length)) continue;
    if (steps < best || (steps === best && found === undefined)) {
      best = steps;
      found = candidate;
    }
  }
  return found;
}

/** The number of edits (insert, delete, replace, swap neighbours) between two words: Damerau-Levenshtein. */
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
