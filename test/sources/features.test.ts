import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DescribedModule } from '../../src/sources/module/describe-module.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { formatRefusal } from '../../src/sources/module/format-refusal.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { INTEGER } from './cases/case.ts';
import { compilers } from './compilers.ts';

const shop = fileURLToPath(new URL('fixtures/shop/', import.meta.url));

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
      position: { file: 'index.ts', line: 33, column: 23 },
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
    const path = join(realpathSync(temporaryFolder('alone')), 'alone.ts');
    const code = [
      "import type { Context, int } from 'everywire';",
      'export function f(x: int, context: Context): int { return context ? x : 0 }',
    ];
    writeFileSync(path, code.join('\n'));
    const { description } = await describeModule(path, { typescript: folder });
    expect(description.refusals).toEqual([]);
    expect(description.functions).toMatchObject([
      { parameters: [{ kind: 'property', name: 'x' }, { kind: 'context' }], input: { properties: { x: INTEGER } } },
    ]);
  });

  it('uses the options of the project', async () => {
    const project = realpathSync(temporaryFolder('project'));
    const options = { strict: false, paths: { '@types-of/*': ['./types/*'] } };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    mkdirSync(join(project, 'types'));
    writeFileSync(join(project, 'types', 'user.ts'), 'export interface User { id: string }');
    const path = join(project, 'users.ts');
    writeFileSync(
      path,
      "import type { User } from '@types-of/user';\nexport function f(x: User | null): void { void x }",
    );
    const { description, inputs, resolutions } = await describeModule(path, { typescript: folder });
    // Without strict, `null` would be lost.
    expect(description.functions[0]!.input.properties!['x']!['anyOf']).toHaveLength(2);
    const own = inputs.files.filter((file) => file.startsWith(project)).map((file) => relative(project, file));
    expect(own).toEqual(['tsconfig.json', 'types/user.ts', 'users.ts']);
    expect(resolutions).toEqual([
      { importer: path, specifier: '@types-of/user', file: join(project, 'types', 'user.ts') },
    ]);
  });

  it('reports a mistake in the syntax, with its place', async () => {
    const path = join(realpathSync(temporaryFolder('syntax')), 'broken.ts');
    writeFileSync(path, 'export function ok() {}\nexport function f(x: ) {}\n');
    const { description } = await describeModule(path, { typescript: folder });
    expect(description.functions).toEqual([]);
    expect(description.refusals.map(formatRefusal)).toEqual([
      'broken.ts:2:22: Type expected.\n  2 | export function f(x: ) {}\n    |                      ^',
    ]);
  });
});

it('asks for a compiler that is recent enough', async () => {
  const folder = temporaryFolder('old');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'typescript', version: '5.4.2' }));
  await expect(describeModule(join(shop, 'index.ts'), { typescript: folder })).rejects.toThrow(
    'To read plain TypeScript, everywire needs TypeScript 5.9 or later, not 5.4.2; run: npm install --save-dev typescript',
  );
});
