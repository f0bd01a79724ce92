// Prints what stays in a server after each kind of operation: `npm run leaks [-- count]`.
import { createJiti } from 'jiti';

const MOST_BYTES = 200;
const given = process.argv[2] ?? '10000';
if (!/^[1-9]\d{0,8}$/.test(given)) {
  console.error('Usage: npm run leaks -- [count], a whole number');
  process.exit(2);
}
const count = Number(given);
const { measureGrowth } = await createJiti(import.meta.url, { fsCache: false }).import('../test/leaks/measure.ts');

console.log(`| operation, ${count} times | bytes of heap that stay of one | else |\n| --- | --- | --- |`);
const results = await measureGrowth(count, undefined, ({ title, bytes, more }) =>
  console.log(`| ${title} | ${bytes} | ${more.join(', ') || 'nothing'} |`),
);
const { report } = await createJiti(import.meta.url, { fsCache: false }).import('../test/reliability/figures.ts');
report('leaks', {
  'operations of each kind': count,
  'kinds of operation': results.length,
  'most bytes of heap that stay of one': Math.max(...results.map(({ bytes }) => bytes)),
  'listeners, timers, sockets, descriptors that stay': results.flatMap(({ more }) => more).join(', ') || 'none',
});
const leaks = results.filter(({ bytes, more }) => bytes > MOST_BYTES || more.length > 0);
for (const { title } of leaks) console.error(`something stays: ${title}`);
process.exitCode = leaks.length > 0 ? 1 : 0;
