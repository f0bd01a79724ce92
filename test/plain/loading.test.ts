import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadedBy } from '../build/loaded.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { EVERYWIRE, MATH, MIXED, project } from './project.ts';

const sub = (name: string) => `/** Subtracts
 * @param x From this
 * @param y This
 * @returns The rest */
export function ${name}(x: number, y: number): number { return x - y }`;

/** Adds 1 and 2. */
const ADD = ['call', 'math.ts', 'Add', '--x', '1', '--y', '2'];

const REFUSED = `${MATH}
/** Sorts */
export function Sort(by: (a: number) => number): void {}
`;

describe(proves('plain.served', 'a plain module'), () => {
  const math = project({ 'math.ts': MATH, 'package.json': '{ "name": "sums", "version": "3.2.1", "type": "module" }' });

  it('is called, listed and described under the name of its file, with the version of its project', async () => {
    expect((await math.everywire(...ADD)).stdout).toBe('{"result":3}');
    const document = JSON.parse((await math.everywire('openapi', 'math.ts')).stdout) as { info: object; paths: object };
    expect(document.info).toMatchObject({ title: 'math', version: '3.2.1' });
    expect(Object.keys(document.paths)).toContain('/functions/Add');
  });

  it('works with every other command', async () => {
    const config = await math.everywire('mcp-config', 'math.ts', '--for', 'cursor');
    const servers = { math: { args: [EVERYWIRE, 'mcp', expect.anything()] } };
    expect(JSON.parse(config.stdout)).toMatchObject({ mcpServers: servers });
    const worker = await math.everywire('worker', 'math.ts');
    expect(worker.stderr).toContain('a worker has nothing to do');
    const offers = await math.everywire('complete', '--', 'call', 'math.ts', '');
    expect(offers.stdout).toContain('add\tAdds two integers together');
    expect((await math.everywire('complete', '--', 'schema', 'math.ts', 'A')).stdout).toContain('Add\t');
  });

  it('is served without what it does not have when it runs', async () => {
    const lying = project({
      'math.ts': `export * from './lib.js';\n${MATH}`,
      'lib.js': 'export const other = 1;',
      'lib.d.ts': '/** Is not there */\nexport function Missing(): number;\n',
      'mixed.ts': `import { createApp } from 'everywire'; import { fromModule } from 'everywire/node';
export default createApp({ name: 'Mixed', version: '1', functions: await fromModule('./math.ts') });`,
      'package.json': '{ "type": "module" }',
    });
    for (const module of ['math.ts', 'mixed.ts']) {
      const { stdout } = await lying.with({}, 'call', module, 'Add', '--x', '1', '--y', '2');
      expect(stdout).toBe('{"result":3}');
      expect((await lying.with({}, 'schema', module)).stderr).toContain(
        'lib.d.ts:2:17: Missing: The module does not export it when it runs; export a value, or mark it with @internal\n' +
          '  2 | export function Missing(): number;\n    |                 ^',
      );
    }
  });

  it('is put into a container, if its project has the compiler', async () => {
    const lock = (...names: string[]) =>
      JSON.stringify({ packages: Object.fromEntries(names.map((name) => [`node_modules/${name}`, {}])) });
    const files = { 'math.ts': MATH, 'package.json': '{ "type": "module" }' };
    const packed = project({ ...files, 'package-lock.json': lock('everywire', 'rolldown') });
    const containerize = () => packed.everywire('containerize', 'math.ts', '--dockerfile-only');
    expect((await containerize()).stderr).toBe(
      'error: typescript is not in package-lock.json; add it with: npm install --save-dev typescript\n',
    );
    packed.write('package-lock.json', lock('everywire', 'rolldown', 'typescript'));
    expect((await containerize()).code).toBe(0);
    expect(readFileSync(join(packed.folder, 'Dockerfile'), 'utf8')).toContain('"everywire", "build", "./math.ts"');
  });

  it('answers over MCP and CGI', async () => {
    const params = { name: 'functions.Add', arguments: { x: 1, y: 2 } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const env = { XDG_CACHE_HOME: join(math.folder, 'cache') };
    const mcp = await run([EVERYWIRE, 'mcp', 'math.ts'], Buffer.from(`${JSON.stringify(call)}\n`), env, math.folder);
    expect(JSON.parse(mcp.stdout)).toMatchObject({ result: { structuredContent: { result: 3 } } });
    const variables = { ...env, REQUEST_METHOD: 'POST', PATH_INFO: '/Add', CONTENT_LENGTH: '13' };
    const cgi = await run([EVERYWIRE, 'cgi', 'math.ts'], Buffer.from('{"x":1,"y":2}'), variables, math.folder);
    expect(cgi.stdout).toMatch(/^Status: 200 OK\r\n[^]*\{"result":3\}$/);
  });

  it('is written with import and export, whatever the package says', async () => {
    const one = project({
      'math.ts': `import { add } from './add.ts';\n${MATH.replace('return x + y', 'return add(x, y)')}`,
      'add.ts': 'export const add = (x: number, y: number): number => x + y;',
      'package.json': '{ "type": "commonjs" }',
    });
    const { stdout, stderr } = await one.everywire(...ADD);
    expect([stdout, stderr]).toEqual(['{"result":3}', '']);
  });

  it('may be run from elsewhere, where neither everywire nor a compiler is installed', async () => {
    const folder = temporaryFolder('alone', { 'math.ts': MATH });
    const module = join(folder, 'math.ts');
    const env = { XDG_CACHE_HOME: join(folder, 'cache') };
    const { stdout } = await run([EVERYWIRE, ...ADD.with(1, module)], undefined, env);
    expect(stdout).toBe('{"result":3}');
  });
});

describe(proves('plain.together', 'several modules'), () => {
  it('are one app, named after the project', async () => {
    const both = project({ 'add.ts': MATH, 'sub.ts': sub('Sub'), 'package.json': '{ "name": "sums" }' });
    const { stdout } = await both.everywire('openapi', 'add.ts', 'sub.ts');
    const { info, paths } = JSON.parse(stdout) as { info: object; paths: object };
    expect(info).toMatchObject({ title: 'sums', version: '0.0.0' });
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/functions/Add', '/functions/Sub']));
  });

  it('share what they import', async () => {
    const both = project({
      'count.ts': 'export const count = { value: 0 };',
      'a.ts': `import { count } from './count.ts';\n/** Counts */\nexport function Up(): number { return ++count.value }`,
      'b.ts': `import { count } from './count.ts';\ncount.value = 41;\n/** Nothing */\nexport function No(): void {}`,
    });
    expect((await both.everywire('call', '.', 'Up')).stdout).toBe('{"result":42}');
  });

  it('may be a folder, without its tests, declarations and what is put aside', async () => {
    const whole = project({
      'functions/add.ts': MATH,
      'functions/sub.ts': sub('Sub'),
      'functions/types.ts': 'export interface A { a: string }',
      'functions/sub.test.ts': 'throw new Error("a test")',
      'functions/a.d.ts': 'export declare const a: string;',
      'functions/_aside.ts': 'throw new Error("aside")',
      'functions/.hidden.ts': 'throw new Error("hidden")',
      'functions/inner/more.ts': 'throw new Error("inner")',
      'functions/readme.md': '',
    });
    const { stdout } = await whole.everywire('schema', 'functions/', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ name: 'functions', functions: [{ name: 'Add' }, { name: 'Sub' }] });
  });

  it('must not have two functions of one name', async () => {
    const two = project({ 'a.ts': sub('Sub'), 'b.ts': `\n${sub('Sub')}` });
    const { stderr, code } = await two.everywire('openapi', 'a.ts', 'b.ts');
    expect([stderr, code]).toEqual([
      "error: Sub is exported twice, at a.ts:5:17 and at b.ts:6:17\nRename one, or put it into a group: export * as orders from './orders.ts'\n",
      1,
    ]);
  });

  it('must all be plain, and there must be some', async () => {
    const app = `import { createApp } from 'everywire';\nexport default createApp({ name: 'A', version: '1', functions: [] });`;
    const others = { 'b.mjs': '', 'empty/a.txt': '', 'types/a.ts': 'export {}' };
    const mixed = project({ 'a.ts': sub('Sub'), 'app.ts': app, ...others });
    const refused = {
      'a.ts app.ts':
        'app.ts exports an app, which is served alone; to add functions to it, use fromModule of everywire/node',
      'a.ts b.mjs': 'b.mjs is not TypeScript; functions are served by the types in their source',
      empty: 'empty has no .ts file to serve',
      types: 'types: no module exports a function',
      'a.ts gone.ts': 'No such module: gone.ts',
    };
    for (const [modules, message] of Object.entries(refused))
      expect((await mixed.everywire('openapi', ...modules.split(' '))).stderr).toBe(`error: ${message}\n`);
  });
});

const STOCK = `import { SoldOut } from './errors.ts';
export { other } from './other.ts';
/** An amount */
export class Money { constructor(readonly cents: number) {} plus(other: Money): Money { return new Money(this.cents + other.cents) } }
/** Takes
 * @throws {SoldOut} 409 When there is not enough
 * @throws {RangeError} Not for callers
 * @param pieces How many
 * @returns The rest */
export function Take(pieces: number): number { if (pieces < 0) throw new RangeError('negative'); throw new SoldOut('Only 3 are left') }
`;
const ERRORS = 'export class Own extends Error {}\nexport class SoldOut extends Own {}\n';
/** A bundler renames one of two classes of a name. */
const OTHER = 'class SoldOut {}\nexport const other = new SoldOut();\n';

describe(proves('plain.throws', 'an error class with a status'), () => {
  const stock = project({
    'stock.ts': STOCK,
    'errors.ts': ERRORS,
    'other.ts': OTHER,
    'package.json': '{ "type": "module" }',
  });

  it('is a declared error, and other classes are not', async () => {
    const document = (await stock.everywire('openapi', 'stock.ts')).stdout;
    expect(document).toContain('`SOLD_OUT`: When there is not enough');
    expect(document).not.toContain('RANGE_ERROR');
    const { stderr, code } = await stock.everywire('call', 'stock.ts', 'Take', '--pieces', '4');
    expect([stderr, code]).toEqual(['error: Only 3 are left (SOLD_OUT)\n', 1]);
  });

  it('is one in a build', async () => {
    await stock.everywire('build', 'stock.ts', '--out', 'built.mjs');
    const { stderr, code } = await stock.with({}, 'call', 'built.mjs', 'Take', '--pieces', '4');
    expect([stderr, code]).toEqual(['error: Only 3 are left (SOLD_OUT)\n', 1]);
  });

  it(proves('plain.refusals', 'a class of values is explained by schema, and not by each call'), async () => {
    expect((await stock.everywire('schema', 'stock.ts')).stderr).toContain('Money.plus: The class needs arguments');
    expect((await stock.everywire('call', 'stock.ts', 'Take', '--pieces', '4')).stderr).not.toContain('Money');
  });
});

describe(proves('plain.refusals', 'what cannot be served'), () => {
  const because = (first: string) =>
    new RegExp(`^${first}\\nmath\\.ts:14:22: Sort: .+\\n +14 \\| export function Sort.+\\n +\\| +\\^\\n$`);
  const sums = project({ 'math.ts': REFUSED, 'package.json': '{ "type": "module", "version": "1.2.3" }' });

  it('is explained on stderr by what lists or serves all, and by the call of it alone', async () => {
    const one = because('warning: one function is not served');
    expect((await sums.everywire('schema', 'math.ts')).stderr).toMatch(one);
    const listed = await sums.everywire('call', 'math.ts');
    expect(listed.stderr).toMatch(one);
    expect(listed.stdout).toContain('math v1.2.3 ');
    expect(await sums.everywire(...ADD)).toMatchObject({ stdout: '{"result":3}', stderr: '' });
    const { stdout, stderr, code } = await sums.everywire('call', 'math.ts', 'sort', '--by', '1');
    expect([stdout, code]).toEqual(['{"error":"Function not found: sort"}', 127]);
    expect(stderr).toMatch(because('error: sort is not served \\(FUNCTION_NOT_FOUND\\)'));
  });

  it('is explained over CGI if it is asked for', async () => {
    for (const [name, logged] of [
      ['Add', /^$/],
      ['functions/Sort', because('warning: one function is not served')],
    ] as const) {
      const env = { REQUEST_METHOD: 'POST', PATH_INFO: `/${name}`, CONTENT_LENGTH: '0' };
      const { stdout, stderr } = await sums.with(env, 'cgi', 'math.ts');
      expect(stdout).toContain(name === 'Add' ? 'Invalid arguments' : '{"error":"Function not found: Sort"}');
      expect(stderr).toMatch(logged);
    }
  });

  it('is what needs access rules, which plain modules do not have', async () => {
    const scoped = MATH.replace(' */', ' * @scope sums\n */');
    const { stdout, stderr } = await project({ 'math.ts': `${scoped}\n${sub('Sub')}` }).everywire('schema', 'math.ts');
    expect(stdout).toMatch(/^Sub: (?![^]*Add)/);
    expect(stderr).toContain(
      "10:17: Add: @scope needs access rules: createApp({ …, functions: await fromModule('./math.ts'), access",
    );
  });

  it('is an error if nothing is left', async () => {
    const { everywire } = project({ 'math.ts': 'export function Sort(by: (a: number) => number): void {}' });
    const { stdout, stderr, code } = await everywire('serve', 'math.ts', '--port', '0');
    expect([stdout, code]).toEqual(['', 1]);
    expect(stderr).toMatch(/^error: math\.ts cannot be served: one function is not served\nmath\.ts:1:22: Sort: /);
  });

  it('is also what is no function', async () => {
    const { everywire } = project({
      'none.ts': 'export const a = 1;',
      'none.mjs': 'export const a = () => 1;',
      'default.ts': 'export default () => 1;',
      'broken.ts': 'export function Add(x: number { return x }',
    });
    const refused = async (module: string) => (await everywire('openapi', module)).stderr;
    const messages = {
      'none.ts': 'exports no app; add: export default createApp({ … }), or export a function',
      'none.mjs':
        'exports no app; add: export default createApp({ … }). Functions alone are served from TypeScript, by their types',
      'default.ts':
        'exports a function that returns something else than an app, as default; to serve the function itself, export it by a name',
    };
    for (const [module, message] of Object.entries(messages))
      expect(await refused(module)).toBe(`error: ${module} ${message}\n`);
    expect(await refused('broken.ts')).toMatch(/^error: broken\.ts cannot be loaded: .+\(broken\.ts:1[:\d]*\)\n/);
  });
});

it(
  proves('plain.mixed', 'an app has plain functions by a path or a URL, with access rules and middleware'),
  async () => {
    const mixed = project(MIXED);
    for (const module of ['src/app.ts', 'src/url.ts']) {
      expect((await mixed.everywire('call', module, 'Own')).stdout).toBe('{"result":101}');
      expect((await mixed.everywire('call', module, 'Add', '--x', '1', '--y', '2')).stdout).toBe('{"result":103}');
    }
    const { functions } = JSON.parse((await mixed.everywire('schema', 'src/app.ts', '--json')).stdout) as {
      functions: { name: string; scopes?: string[] }[];
    };
    expect(functions.map(({ name, scopes }) => [name, scopes])).toEqual([
      ['Own', undefined],
      ['Add', ['sums']],
    ]);
  },
);

it(proves('plain.schema', 'everywire schema prints a table, JSON, or one function'), async () => {
  const math = project({ 'math.ts': `${MATH}\nexport function No(f: () => void): void {}` });
  const table = await math.with({}, 'schema', 'math.ts');
  expect(table.stdout).toBe(`Add: Adds two integers together
  x        integer  First integer to add
  y        integer  Second integer to add
  returns  integer  Sum of x and y
`);
  expect(table.stderr).toContain('No: ');
  const json = JSON.parse((await math.everywire('schema', 'math.ts', '--json')).stdout) as object;
  expect(json).toMatchObject({
    name: 'math',
    functions: [{ name: 'Add', input: { required: ['x', 'y'] }, output: { type: 'integer' } }],
    refusals: [{ name: 'No', file: 'math.ts', line: 13, column: 20 }],
  });
  expect((await math.everywire('schema', 'math.ts', 'add')).stdout).toBe(table.stdout);
  expect((await math.everywire('schema', 'math.ts', 'Ad')).stderr).toContain(
    'error: No function Ad; did you mean Add?',
  );
});

it.each(['mjs', 'cjs'].slice(0, size(1, 2)))(
  proves('plain.built', 'a built plain module needs nothing but Node, as .%s'),
  async (extension) => {
    const math = project({ 'math.ts': MATH, 'package.json': '{ "name": "sums", "version": "2.0.0" }' });
    const { stdout } = await math.everywire('build', 'math.ts', '--out', `math.${extension}`);
    expect(stdout).toMatch(/^math v2\.0\.0 is in math\.\w+ \(\d+ KiB\)\n$/);
    const alone = temporaryFolder('alone');
    const file = join(alone, `math.${extension}`);
    cpSync(join(math.folder, `math.${extension}`), file);
    let ran = { stdout: '' };
    const urls = await loadedBy(async (env) => {
      ran = await run([file, 'add', '--x', '1', '--y', '2'], undefined, env, alone);
    });
    expect(ran.stdout).toBe('{"result":3}');
    const foreign = urls.filter((url) => url.startsWith('file:') && !url.includes(alone));
    expect(foreign).toEqual([]);
  },
);
