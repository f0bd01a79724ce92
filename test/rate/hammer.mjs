// Calls as often as it can, from several sides at once, and prints what was admitted, as JSON.
// node hammer.mjs <when to begin> <for so many milliseconds> <rate as JSON> [redis]
import { createApp, defineFunction } from 'everywire';

const [, , begin, milliseconds, rate, redis] = process.argv;
const ping = defineFunction({ name: 'Ping', description: 'Answers', run: () => {} });
const app = createApp({
  name: 'Hammered',
  version: '1.0.0',
  functions: [ping],
  limits: { rate: JSON.parse(rate) },
  ...(redis && { redis }),
});

const now = () => performance.timeOrigin + performance.now();
const other = {};
let admitted = 0;
let first = Infinity;
let last = 0;

async function hammer(end) {
  while (now() < end) {
    const outcome = await app.call('Ping');
    if (outcome.ok) {
      admitted++;
      // When it was admitted: the first call loads a package, and connects.
      last = now();
      first = Math.min(first, last);
    } else other[outcome.error.code] = (other[outcome.error.code] ?? 0) + 1;
    // Without Redis nothing else would come to pass.
    if (!redis) await new Promise(setImmediate);
  }
}

// All processes begin together.
await new Promise((resolve) => setTimeout(resolve, Number(begin) - now()));
const end = now() + Number(milliseconds);
await Promise.all(Array.from({ length: 8 }, () => hammer(end)));
console.log(JSON.stringify({ admitted, first, last, ...other }));
