import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accepts } from '../../src/schema/accepts.ts';
import { publicSchema } from '../../src/sources/module/bind/public-schema.ts';
import { fan } from './cases/hostile.ts';
import { compilers, outcomeOf, readSource } from './read-source.ts';

type Classic = typeof import('typescript');

/** Types of TypeScript as text. Intersections of unions are what compilers keep without reducing it. */
const { type } = fc.letrec<{ type: string; object: string; union: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('string', 'number', 'boolean', 'null', "'a'", "'b'", "'a' | 'b'", '1', 'string | null'),
    tie('object'),
    tie('union'),
    tie('type').map((one) => `(${one})[]`),
    fc.tuple(tie('type'), tie('type')).map(([a, b]) => `[${a}, (${b})?]`),
    tie('type').map((one) => `Record<string, ${one}>`),
  ),
  union: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(tie('object'), tie('object')).map((all) => all.join(' | ')),
    fc.tuple(tie('union'), tie('object')).map(([a, b]) => `(${a}) & ${b}`),
    tie('object').map((one) => `Partial<${one}>`),
    tie('object').map((one) => `Omit<${one}, 'x'>`),
  ),
  object: fc
    .tuple(fc.constantFrom("'a'", "'b'", "'a' | 'b'", 'string'), fc.subarray(['x', 'x?', 'y', 'y?']), tie('type'))
    .map(([kind, keys, field]) => `{ kind: ${kind}; ${keys.map((key) => `${key}: ${field};`).join(' ')} }`),
}));

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', 'c', 1, 2, true, null),
    fc.record({ kind: fc.constantFrom('a', 'b', 1), x: tie('json'), y: tie('json') }, { requiredKeys: [] }),
    fc.array(tie('json'), { maxLength: 2 }),
  ),
}));

/** The type of one value: variables of it may have fields that nobody asked for, as arguments may. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(typeOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${typeOf(one)};`)
    .join(' ')} }`;
}

it.each(compilers)('what the compiler does not assign to a type, its schema refuses: $version', async ({ folder }) => {
  const types = fc.sample(
    type.filter(({ length }) => length < 200),
    { numRuns: 100, seed: 11 },
  );
  const values = fc.sample(json, { numRuns: 60, seed: 12 });
  const source = types.map(
    (one, i) => `export type T${i} = ${one};\nexport function f${i}(it: T${i}): void { void it }`,
  );
  const given = values.map((one, j) => `declare const v${j}: ${typeOf(one)};`);
  const pairs = types.flatMap((_, i) => values.map((__, j) => [i, j] as const));
  const checks = pairs.map(([i, j]) => `{ const t: m.T${i} = v${j}; }`);
  const check = `import type * as m from './types.ts';\n${given.join('')}\n${checks.join('\n')}\nexport {};`;
  const read = await readSource({ 'types.ts': source.join('\n'), 'check.ts': check }, folder);
  const ts = createRequire(import.meta.url)(join(compilers.at(-1)!.folder, 'lib/typescript.js')) as Classic;
  const options = { strict: true, noEmit: true, allowImportingTsExtensions: true, lib: ['lib.es2022.d.ts'], types: [] };
  const program = ts.createProgram([join(read.folder, 'check.ts')], options);
  const file = program.getSourceFile(join(read.folder, 'check.ts'))!;
  const refused = new Set<number>();
  for (const { start, code } of program.getSemanticDiagnostics(file)) {
    // Not because a type whose fields are all optional has none of the given ones.
    if (code !== 2559) refused.add(file.getLineAndCharacterOfPosition(start!).line - 2);
  }
  const wrong = pairs.flatMap(([i, j], k) => {
    const schema = read.description.functions.find(({ name }) => name === `f${i}`)?.input;
    if (!schema || !refused.has(k)) return [];
    const whole = publicSchema(schema);
    return accepts({ it: values[j] }, whole, whole) ? [`${types[i]} accepts ${JSON.stringify(values[j])}`] : [];
  });
  expect(refused.size).toBeGreaterThan(2000);
  expect(read.description.functions.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

it.each(compilers)('a type of 2^30 objects is refused, with TypeScript $version', async ({ folder }) => {
  const read = await readSource({ 'fan.ts': `${fan}\nexport const last = () => 1;` }, folder);
  expect(outcomeOf(read)).toEqual({
    served: ['last'],
    refused: [expect.stringContaining('fan: The type is too large; use a smaller one')],
  });
});
