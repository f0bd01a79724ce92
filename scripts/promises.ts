// Prints every promise, and the tests that prove it in `npm test` and in `npm run test:full`: `npm run promises`, or
// `npm run promises -- stream` for those whose names begin so.
import { provedBy } from '../test/kit/proved-by.ts';
import { promises } from '../test/promises.ts';

const [prefix = ''] = process.argv.slice(2);
const found = provedBy().filter(({ id }) => id.startsWith(prefix));
for (const { id, usual, full } of found) {
  console.log(`${id}: ${promises[id]}`);
  console.log(`  npm test   ${usual.join(' ') || 'MISSING'}`);
  if (full.length > 0) console.log(`  test:full  ${full.join(' ')}`);
}
const missing = found.filter(({ usual }) => usual.length === 0);
console.log(`${found.length} promises, ${missing.length} without a test in npm test`);
process.exitCode = missing.length > 0 ? 1 : 0;
