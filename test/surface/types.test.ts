import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { compilers } from '../sources/read-source.ts';

const exec = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles a module, and returns the first lines of its errors. */
async function errorsOf(compiler: string, text: string, strict = true): Promise<string[]> {
  const options = {
    target: 'es2023',
    module: 'nodenext',
    strict,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    declaration: true,
  };
  const folder = temporaryFolder('types', {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ compilerOptions: options, files: ['a.ts'] }),
    'a.ts': text,
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/everywire'));
  for (const name of ['zod', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const args = [join(compiler, 'bin/tsc'), '-p', folder, '--pretty', 'false', '--noErrorTruncation'];
  const { stdout } = await exec(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
}

const HEAD = `import { createApp, defineFunction, defineWith, Failure } from 'everywire';
import { createClient } from 'everywire/client';
import { z } from 'zod';
const name = 'F', description = 'd', at = new Date(), x = z.object({ x: z.int() });
export const app = createApp({ name, version: '1', functions: [defineFunction({
  name: 'F', description, input: x, output: z.int(), errors: { BAD: { description }, SOLD: { description } }, run: ({ x }) => x })] });
const outcome = await createClient<typeof app>('http://localhost').call('F', { x: 1 });
const here = await app.call('F', { x: 1 });
`;

const NOT_AN_OBJECT = '"The input of a function must be an object: z.object({ … })"';
const RUN = '(input: Record<string, never>, context: Context<{}, {}>) =>';
const NO = 'Object literal may only specify known properties';
const is = (source: string, target: string) => `2322 Type '${source}' is not assignable to type '${target}'.`;

/** What is wrong, marked with ‸, and the code and the first line of the error. In braces: options of `defineFunction`. */
const WRONG: readonly (readonly [string, string | RegExp])[] = [
  [`{ output: z.int(), run: () => ‸'seven' }`, is('string', 'number')],
  [`{ input: x, output: z.string(), run: ({ x }) => ‸x }`, is('number', 'string')],
  [`{ output: z.int(), run: async () => ‸'seven' }`, is('Promise<string>', 'Promise<number>')],
  [`{ output: z.int(), ‸run: () => { return 'seven'; } }`, is('() => "seven"', `${RUN} number`)],
  [`{ output: z.object({ a: z.int() }), run: () => ({ ‸a: 'b' }) }`, is('string', 'number')],
  [`{ output: z.object({ a: z.int() }), run: () => ‸({}) }`, /^2741 Property 'a' is missing in type '{}' but required/],
  [`{ outputs: [z.int(), z.string()], run: () => [1, ‸2] }`, is('number', 'string')],
  [
    `{ output: z.int(), async *‸run() { yield 1; return 'x'; } }`,
    /=> AsyncGenerator<number, (void \| number|number \| void), any>'\.$/,
  ],
  [`{ run: () => ‸1 }`, is('1', 'undefined')],
  [
    `{ ‸desciption: 'd', run: () => {} }`,
    /^2561 .*'desciption' does not exist .* Did you mean to write 'description'\?$/,
  ],
  [
    `{ input: x, output: z.int(), ‸hint: {}, run: ({ x }) => x }`,
    /^2561 .*'hint' does not exist .* to write 'hints'\?$/,
  ],
  [
    `{ hints: { ‸readonly: true }, run: () => {} }`,
    `2561 ${NO}, but 'readonly' does not exist in type 'Hints'. Did you mean to write 'readOnly'?`,
  ],
  [
    `{ errors: { BAD: { description, ‸state: 1 } }, run: () => {} }`,
    `2353 ${NO}, and 'state' does not exist in type 'DeclaredError'.`,
  ],
  [`{ ‸input: z.string(), run: () => {} }`, is('ZodString', `ZodString & ${NOT_AN_OBJECT}`)],
  [
    `{ ‸input: { type: 'array' }, run: () => {} }`,
    is('{ type: "array"; }', `{ readonly type: "array"; } & ${NOT_AN_OBJECT}`),
  ],
  [`{ ‸input: { x: z.string() }, run: () => {} }`, /wrap them in z\.object\({ … }\)"'\.$/],
  [
    `{ output: z.int(), errors: { BAD: { description } }, run: () => ‸new Failure('X', 'x') }`,
    is('Failure<"X">', 'number | Failure<"BAD" | Code>'),
  ],
  [
    `createApp({ name, version: '1', functions: [], ‸midleware: [] });`,
    /^2561 .*'midleware' does not exist .* to write 'middleware'\?$/,
  ],
  [`app.call(‸'G', { x: 1 });`, `2345 Argument of type '"G"' is not assignable to parameter of type '"F"'.`],
  [`app.call('F', { ‸x: '1' });`, is('string', 'number')],
  // What hovers show.
  [`if (outcome.ok === false) { const ‸c: never = outcome.error.code; }`, is('"BAD" | "SOLD" | Code', 'never')],
  [`if (here.ok === false) { const ‸c: never = here.error; }`, is('FailureData<"BAD" | "SOLD" | Code>', 'never')],
  [`const ‸o: never = outcome;`, is('Outcome<number, "BAD" | "SOLD" | Code>', 'never')],
];

const RIGHT = [
  `{ output: z.enum(['a', 'b']), run: () => 'a' }`,
  `{ input: x, output: z.object({ kind: z.enum(['a', 'b']), pair: z.tuple([z.int(), z.string()]), at: z.date().array() }),
    run: async ({ x }) => (x > 1 ? { kind: 'a', pair: [x, 'x'], at: [at] } : new Failure('X', 'x')) }`,
  `{ outputs: [z.int(), z.enum(['a'])], async run() { return [1, 'a']; } }`,
  `{ output: z.int(), run: (): number | Promise<number> => 1 }`,
  `{ input: x.optional(), output: z.int(), errors: { BAD: { description } }, run: () => new Failure(at ? 'BAD' : 'NOT_FOUND', 'x') }`,
  `{ run: async () => {} }`,
  // With `declaration: true`, all types of an export must have public names.
  `export const f = defineFunction({ name, description, input: x, run: () => {} });`,
  `export const g = defineWith<{ deps: { a: 1 } }>().defineFunction({ name, description, run: () => {} });`,
  `if (outcome.ok) outcome.data.toFixed();`,
  `if (outcome.ok === false) outcome.error.code.length;`,
];

const sourceOf = (cases: readonly string[]) =>
  HEAD +
  cases
    .map((text) =>
      (text.startsWith('{') ? `defineFunction({ name, description, ${text.slice(1)});` : text).replaceAll('\n', ' '),
    )
    .join('\n');

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  it(proves('types.messages', 'mistakes are errors at their place, in a short sentence'), async () => {
    const source = sourceOf(WRONG.map(([text]) => text)).split('\n');
    const expected = source.flatMap((line, i) =>
      line.includes('‸') ? [`a.ts(${i + 1},${line.indexOf('‸') + 1}): error TS`] : [],
    );
    const errors = await errorsOf(folder, source.join('\n').replaceAll('‸', ''));
    expect(errors).toEqual(
      WRONG.map(([, message], i) =>
        typeof message === 'string'
          ? `${expected[i]}${message.replace(' ', ': ')}`
          : expect.toSatisfy(
              (line: string) =>
                line.startsWith(expected[i]!) && message.test(line.slice(expected[i]!.length).replace(':', '')),
              `${expected[i]}${message.source}`,
            ),
      ),
    );
  });

  it.each([true, false])(proves('types.strict', 'correct functions compile, strict: %s'), async (strict) => {
    expect(await errorsOf(folder, sourceOf(RIGHT), strict)).toEqual([]);
    const missing = await errorsOf(folder, `${HEAD}app.call('F');`, strict);
    expect(missing).toEqual([expect.stringContaining('TS2554: Expected 2-3 arguments, but got 1.')]);
  });
});

it(
  proves('types.work', 'the compiler does less than four times the work for plain functions with the same schemas'),
  async () => {
    const program = `import { types } from './bench/sections/types.mjs';
    console.log(JSON.stringify(await types.measure({ rounds: 1, count: 50, versions: ['7.0'] })));`;
    const { stdout } = await exec(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
    const { '7.0': rows } = JSON.parse(stdout) as { '7.0': { instantiations: number }[] };
    expect(rows[2]!.instantiations / rows[1]!.instantiations).toBeLessThan(4);
  },
);
