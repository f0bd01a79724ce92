import { cpSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { describeModule, type DescribedModule } from '../../src/sources/module/describe-module.ts';
import { formatRefusal } from '../../src/sources/module/format-refusal.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { INTEGER } from './cases/case.ts';
import { NODE_TYPES, compilers, readSource } from './read-source.ts';

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));
const shop = join(fixtures, 'shop/');

/** Modules whose types are in the libraries of Node, which are read only if they are needed, and the fields of their results. */
const libraries = [
  ['indirect', ['id', 'rss', 'heapTotal', 'heapUsed', 'external', 'arrayBuffers', 'name'], 'number'],
  ['picked', ['rss'], 'number'],
  ['imported', ['model', 'speed', 'times'], 'string'],
] as const;

const RUNTIME = ['Blob', 'Buffer', 'FormData', 'Response', 'NodeJS.Timeout'];
const JAVASCRIPT =
  '{"compilerOptions":{"allowJs":true,"checkJs":true,"module":"preserve","target":"esnext","strict":true,"lib":["esnext","dom"],"types":["node"]}}';
const ROW = 'interface Row { id: number; tags: string[] }\n';
/** Types that name something of the runtime, N, where no trace of it is left in the result: `{ id: number, tags: string[] }`. */
const hidden: readonly (readonly [position: string, code: string, other?: Readonly<Record<string, string>>])[] = [
  ['a conditional type', 'type T = string[] extends readonly N[] ? { no: 1 } : Row;'],
  ['a branch that depends on another', 'type F<X> = X extends N[] ? 1 : X; type T = { [K in keyof Row]: F<Row[K]> };'],
  ['the keys of a mapped type', 'type T = { [K in keyof Row as Row[K] extends readonly N[] ? never : K]: Row[K] };'],
  ['keyof', 'type T = Omit<Row, keyof N>;'],
  ['a member', "type T = Omit<Row, N['constructor'] extends string ? 'id' : never>;"],
  ['a type argument', 'type Is<A, B> = A extends B[] ? { no: 1 } : Row; type T = Is<string[], N>;'],
  ['a default of a type parameter', 'type Is<A, B = N> = A extends B[] ? { no: 1 } : Row; type T = Is<string[]>;'],
  ['a constraint', 'type Is<A> = A extends (infer B extends N)[] ? { no: B } : Row; type T = Is<string[]>;'],
  ['a base', 'interface B extends Pick<Row, Exclude<keyof Row, keyof N>> {} type T = { [K in keyof B]: B[K] };'],
  ['a function', 'type G = (x: N) => void; type T = ((x: string) => void) extends G ? { no: 1 } : Row;'],
  [
    'the type of a value',
    'const v = (x: N[]) => x; type T = string[] extends Parameters<typeof v>[0] ? { no: 1 } : Row;',
  ],
  [
    'the type of what a function returns',
    'const make = () => ({ v: null! as N[] }); type T = string[] extends ReturnType<typeof make>["v"] ? { no: 1 } : Row;',
  ],
  ['a class', 'class C { v?: N[] } type T = { v: string[] } extends C ? { no: 1 } : Row;'],
  [
    'an imported type',
    "import type { Is } from './b.ts'; type T = Is<string[]>;",
    { 'b.ts': `${ROW} export type Is<A> = A extends readonly N[] ? { no: 1 } : Row;` },
  ],
  [
    'a type of a namespace',
    "import * as b from './b.ts'; type T = b.c.Is<string[]>;",
    { 'b.ts': `${ROW} export namespace c { export type Is<A> = A extends readonly N[] ? { no: 1 } : Row }` },
  ],
  [
    'a type that is exported again',
    "type T = import('./b.ts').Is<string[]>;",
    {
      'b.ts': "export * from './c.js';",
      'c.d.ts': `${ROW} export type Is<A> = A extends readonly N[] ? { no: 1 } : Row;`,
    },
  ],
  [
    'a type of a package',
    "import { Is } from 'pkg'; type T = Is<string[]>;",
    {
      'node_modules/pkg/package.json': '{"name":"pkg","types":"index.d.ts"}',
      'node_modules/pkg/index.d.ts': `${ROW} export type Is<A> = A extends readonly N[] ? { no: 1 } : Row;`,
    },
  ],
  [
    'a comment of JavaScript',
    "import { v } from './b.js'; type T = string[] extends Parameters<typeof v>[0] ? { no: 1 } : Row;",
    { 'b.js': '/** @param {N[]} x */ export function v(x) { return 1; }', 'tsconfig.json': JAVASCRIPT },
  ],
];

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  let module: DescribedModule;
  const read = (name: string) => module.description.functions.find((fn) => fn.name === name)!;

  beforeAll(async () => {
    module = await describeModule(join(shop, 'index.ts'), { typescript: folder });
  });

  it('finds functions, groups, classes and objects, and nothing else', () => {
    expect(module.description.refusals).toEqual([]);
    expect(module.description.functions.map(({ name, path, of }) => [name, path.join('/'), of])).toEqual([
      ['greet', 'greet', 'exports'],
      ['orders.List', 'orders/List', 'exports'],
      ['ship', 'ship', 'exports'],
      ['invoice', 'invoice', 'exports'],
      ['search', 'search', 'exports'],
      ['divide', 'divide', 'exports'],
      ['half', 'half', 'exports'],
      ['labelled', 'labelled', 'exports'],
      ['deep.er.ping', 'deep/er/ping', 'exports'],
      ['Counter.increment', 'Counter/increment', 'instance'],
      ['Counter.zero', 'Counter/zero', 'exports'],
      ['tools.reverse', 'tools/reverse', 'exports'],
      ['tools.divide', 'tools/divide', 'exports'],
      ['tools.nested.echo', 'tools/nested/echo', 'exports'],
      ['shared.increment', 'shared/increment', 'exports'],
      ['sdk', 'sdk', 'exports'],
      ['index', 'default', 'exports'],
    ]);
  });

  it('reads the docs of a function', () => {
    expect(read('ship')).toEqual({
      name: 'ship',
      path: ['ship'],
      of: 'exports',
      title: 'Ship it',
      description: 'Ships an order.\n\nIt cannot be undone:\n- parcels are sent\n- bills are written',
      isDeprecated: true,
      hints: { destructive: true, idempotent: true },
      scopes: ['orders:write', 'orders:ship'],
      task: 'always',
      errors: {
        ALREADY_SHIPPED: { description: 'It was shipped before.' },
        LOST_ORDER: { description: 'Nobody knows where it is' },
      },
      parameters: [
        { kind: 'property', name: 'id' },
        { kind: 'property', name: 'parcels' },
        { kind: 'property', name: 'speed' },
        { kind: 'context' },
      ],
      input: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'The order' },
          parcels: { ...INTEGER, minimum: 1, description: 'How many' },
          speed: { type: 'string', enum: ['slow', 'fast'], description: 'How fast', default: 'slow' },
        },
        required: ['id', 'parcels'],
      },
      result: { kind: 'one', schema: { type: 'string', description: 'The tracking number' } },
      position: { file: 'index.ts', line: 32, column: 23 },
      examples: [{ title: 'Two parcels', input: { id: 'o1', parcels: 2 }, output: 'T-2' }],
    });
  });

  it('reads the docs of fields', () => {
    expect(read('invoice').parameters).toEqual([{ kind: 'input' }]);
    expect(read('invoice').input).toEqual({
      type: 'object',
      properties: {
        amount: { ...INTEGER, minimum: 0, description: 'The amount, in cents' },
        to: { type: 'string', format: 'email' },
        currency: { type: 'string', default: 'EUR' },
      },
      required: ['amount'],
      description: 'Everything about a bill.',
    });
  });

  it('reads named, optional and rest parameters', () => {
    expect(read('search').parameters).toEqual([
      { kind: 'property', name: 'query' },
      { kind: 'property', name: 'options' },
      { kind: 'property', name: 'tags', isRest: true },
    ]);
    expect(read('search').input).toMatchObject({
      properties: {
        query: { description: 'What to look for' },
        options: { description: 'How', properties: { limit: { ...INTEGER, description: 'At most so many' } } },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
    });
  });

  it('knows that a failure is an error and no result', () => {
    expect(read('half')).toMatchObject({
      errors: { ODD: { description: 'It is odd' } },
      result: { kind: 'one', schema: { type: 'number' } },
    });
  });

  it('reads several results', () => {
    expect(read('divide').result).toEqual({
      kind: 'several',
      schemas: [
        { ...INTEGER, description: 'Quotient' },
        { ...INTEGER, description: 'Remainder' },
      ],
    });
    expect(read('labelled').result).toMatchObject({ schemas: [{ description: 'first' }, { description: 'second' }] });
  });

  it('reads types of other files and packages', () => {
    expect(read('greet').input).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, email: { type: 'string' } },
      required: ['name'],
    });
    expect(read('orders.List').result).toMatchObject({
      schema: { items: { properties: { customer: { required: ['name'], additionalProperties: false } } } },
    });
    expect(read('sdk').input).toEqual({
      type: 'object',
      properties: { scale: { type: 'number', enum: [1, 2] }, description: { type: 'string' } },
      required: ['scale'],
    });
  });

  it('says what the description depends on', () => {
    const { inputs, resolutions, compiler } = module;
    const own = inputs.files.filter((file) => file.startsWith(shop)).map((file) => file.slice(shop.length));
    expect(own).toEqual(['customers.ts', 'index.ts', 'orders.ts', 'package-types.ts']);
    expect(inputs.files.filter((file) => /\/lib\.[\w.]+\.d\.ts$/.test(file))).toEqual([]);
    expect(inputs.missed).toContain(join(shop, 'tsconfig.json'));
    expect(resolutions).toContainEqual({
      importer: join(shop, 'orders.ts'),
      specifier: './customers.ts',
      file: join(shop, 'customers.ts'),
    });
    expect(compiler).toEqual({ version: expect.stringMatching(/^[567]\./), folder });
  });

  it('finds the types of this package for a module outside of any project', async () => {
    const code =
      "import type { Context, int } from 'everywire';" +
      'export function f(x: int, context: Context): int { return context ? x : 0 }';
    const { description } = await readSource({ 'alone.ts': code }, folder);
    expect(description.refusals).toEqual([]);
    expect(description.functions).toMatchObject([
      { parameters: [{ kind: 'property', name: 'x' }, { kind: 'context' }], input: { properties: { x: INTEGER } } },
    ]);
  });

  it('uses the options of the project', async () => {
    const options = { strict: false, paths: { '@types-of/*': ['./types/*'] } };
    const code =
      "import type { User } from '@types-of/user';\nimport type { int } from 'everywire';\n" +
      'export function f(x: User | null, y: int): void { void [x, y] }';
    const files = {
      'users.ts': code,
      'tsconfig.json': '{ "extends": "./base.json" }',
      'base.json': JSON.stringify({ compilerOptions: options }),
      'types/user.ts': 'export interface User { id: string }',
    };
    const { description, inputs, resolutions, folder: project } = await readSource(files, folder);
    // Without strict, `null` would be lost.
    expect(description.functions[0]!.input.properties!['x']!['anyOf']).toHaveLength(2);
    const own = inputs.files.filter((file) => file.startsWith(project)).map((file) => relative(project, file));
    expect(own).toEqual(['base.json', 'tsconfig.json', 'types/user.ts', 'users.ts']);
    expect(description.functions[0]!.input.properties!['y']).toEqual(INTEGER);
    expect(resolutions.filter(({ specifier }) => specifier !== 'everywire')).toEqual([
      { importer: join(project, 'users.ts'), specifier: '@types-of/user', file: join(project, 'types/user.ts') },
    ]);
  });

  const resultOf = async (name: string) => {
    const { description } = await describeModule(join(fixtures, `libraries/${name}.ts`), { typescript: folder });
    expect(description.refusals).toEqual([]);
    return (description.functions[0]!.result as { schema: JsonSchema }).schema;
  };

  it.each(libraries)('reads the libraries of Node: %s', async (name, fields, type) => {
    const { properties = {}, required = [], additionalProperties } = await resultOf(name);
    for (const names of [Object.keys(properties), required]) expect(new Set(names)).toEqual(new Set(fields));
    expect(properties[fields[0]!]).toMatchObject({ type });
    expect(additionalProperties).toBe(false);
  });

  it.each(hidden.map(([position, code, other], i) => ({ position, code, other, i })))(
    'reads all libraries for a type of the runtime in $position',
    async ({ code, other = {}, i }) => {
      const named = (text: string) => text.replaceAll(/\bN\b/g, RUNTIME[i % RUNTIME.length]!);
      const text = named(`${code}\n${ROW}export function f(): T { return null! }\n`);
      const others = Object.fromEntries(Object.entries(other).map(([path, content]) => [path, named(content)]));
      const { description } = await readSource({ 'a.ts': text, ...others }, folder, NODE_TYPES);
      const tags = { type: 'array', items: { type: 'string' } };
      expect(description.functions[0]?.result).toMatchObject({
        schema: { properties: { id: { type: 'number' }, tags }, required: ['id', 'tags'] },
      });
    },
  );

  it('reads the libraries of the language only for a module that needs no others', async () => {
    const code =
      '/** Adds. @param x first */ export function f(x: Date, y?: Partial<Record<"a" | "b", Map<string, Uint8Array>>>): Promise<string> ' +
      '{ const form = new FormData(); console.log(form); return null! }\n' +
      'export const g = (x: string) => { console.log(x); return x.split(",").map((one) => ({ one, at: Math.max(1, one.length) } as const)); };\n' +
      'export class C { #n = 1; static make = Object.freeze({ a: (x: int) => x }); get(): this is C { return fetch("") as never } }\n' +
      'type Unused = Blob; import type { int } from "everywire";';
    const { description, inputs } = await readSource({ 'a.ts': code }, folder, NODE_TYPES);
    expect(description.functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['f', 'g']));
    expect(inputs.files.filter((file) => file.includes('@types/node'))).toEqual([]);
  });

  it('reads what is spread', async () => {
    const schema = { type: 'object', additionalProperties: { type: ['string', 'null'] } };
    expect(await resultOf('environment')).toMatchObject(schema);
  });

  it('takes a file for no library because of its name', async () => {
    const code = "import type { Shop } from './lib.shop.js'; export function f(shop: Shop): void {}";
    const files = { 'shop.ts': code, 'lib.shop.d.ts': 'export interface Shop { name: string }' };
    const { description, inputs, folder: project } = await readSource(files, folder);
    expect(inputs.files).toContain(join(project, 'lib.shop.d.ts'));
    expect(Object.keys(description.functions[0]!.input.properties!['shop']!.properties!)).toEqual(['name']);
  });

  it('reports a mistake in the syntax, with its place', async () => {
    const code = 'export function ok() {}\nexport function f(x: ) {}\n';
    const { description } = await readSource({ 'broken.ts': code }, folder);
    expect(description.functions).toEqual([]);
    expect(description.refusals.map(formatRefusal)).toEqual([
      'broken.ts:2:22: Type expected.\n  2 | export function f(x: ) {}\n    |                      ^',
    ]);
  });
});

it('knows the libraries of a compiler in any folder: npm link leads to one that is not called node_modules', async () => {
  const installed = fileURLToPath(new URL('../node_modules/typescript-5.9', import.meta.url));
  const linked = realpathSync(temporaryFolder('linked', { 'package.json': '{"name":"typescript","version":"5.9.0"}' }));
  const isNeeded = (file: string) => /[/\\](?:lib|typescript\.js|lib\.[\w.]+\.d\.ts)$/.test(file);
  cpSync(join(installed, 'lib'), join(linked, 'lib'), { recursive: true, filter: isNeeded });
  cpSync(join(installed, 'package.json'), join(linked, 'package.json'));
  const code = 'export function f(day: Date, tags: Set<string>): Map<string, URL> { return null! }';
  const { description, inputs } = await readSource({ 'a.ts': code }, linked);
  expect(description.refusals).toEqual([]);
  expect(description.functions[0]!.input.properties).toMatchObject({
    day: { format: 'date-time' },
    tags: { 'x-shape': 'set' },
  });
  expect(inputs.files.filter((file) => file.startsWith(linked))).toEqual([]);
});

it('asks for a compiler that is recent enough', async () => {
  const folder = temporaryFolder('old', { 'package.json': '{"name":"typescript","version":"5.4.2"}' });
  await expect(describeModule(join(shop, 'index.ts'), { typescript: folder })).rejects.toThrow(
    'To read plain TypeScript, everywire needs TypeScript 5.9 or later, not 5.4.2; run: npm install --save-dev typescript',
  );
});
