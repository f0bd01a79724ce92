/** The job: the last of these sums is the one asked for under load. */
export const SUMS = [
  { x: 0, y: 0 },
  { x: -7, y: 3 },
  { x: 2 ** 31, y: 2 ** 31 },
  { x: 10, y: 20 },
];

/** What nobody may add up: whoever checks less would win. */
export const REFUSED = [{ x: 'a', y: 1 }, { x: 1, y: 5.5 }, { x: 1 }];
