/** Whether generated tests run at their full size: `npm run test:full`. */
const isFull = process.env['EVERYWIRE_FULL'] === '1';

/** How often a generated test is repeated in `npm test`, and at its full size. What each repetition checks is the same. */
export function size(usual: number, full: number): number {
  return isFull ? full : usual;
}
