import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accepts } from '../../src/schema/accepts.ts';
import { sampleOf } from '../../src/schema/sample.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

/** Template literals, and what is repeated to make a string that almost fits. */
const templates: readonly (readonly [type: string, repeated: string, end: string])[] = [
  ['`${string}@${string}.${string}`', '@', ''],
  ['`${string}a${string}a${string}a${string}a${string}b`', 'a', ''],
  ['`${string}ab${string}ab${string}ab${string}ab${string}c`', 'ab', ''],
  ['`${string}://${string}/${string}?${string}`', '://', '/'],
  ['`${number}-${number}-${number}-${number}x`', '1', '-1-1'],
  ['`${number}.${number}.${number}.${number}x`', '1.1', ''],
  ['`${number}${number}${number}${number}x`', '1', ''],
  ['`${Uppercase<string>}aa${Uppercase<string>}aa${string}b`', 'A', 'a'],
];

// With a second power of the length, each would take minutes; with a higher one, years.
it('patterns take time that grows with the length of a string only', { timeout: 60_000 }, async () => {
  const path = join(temporaryFolder('templates'), 'templates.ts');
  writeFileSync(path, templates.map(([type], i) => `export function f${i}(x: ${type}): void { void x }`).join('\n'));
  const { description } = await describeModule(path);
  expect(description.refusals).toEqual([]);
  for (const [i, [type, repeated, end]] of templates.entries()) {
    const schema = description.functions[i]!.input.properties!['x']!;
    expect({ type, is: accepts(repeated.repeat(400_000) + end, schema, schema) }).toEqual({ type, is: false });
    expect({ type, is: accepts(sampleOf(schema, schema), schema, schema) }).toEqual({ type, is: true });
  }
});
