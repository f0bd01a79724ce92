import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cacheFolder } from '../../src/load/cache-folder.ts';
import { loadedBy } from '../build/loaded.ts';
import { proves } from '../promises.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';

const EVERYWIRE = join(process.cwd(), 'dist/index.js');

/** An app that returns the result of an expression, in a project with these files. */
function project(files: Readonly<Record<string, string>>, expression: string, imports = ''): Project {
  const app = `import { createApp, defineFunction } from ${JSON.stringify(EVERYWIRE)};
${imports}
const f = defineFunction({ name: 'F', description: 'f', output: { description: 'any' }, run: () => ${expression} });
export default createApp({ name: 'Compiled', version: '1', functions: [f] });`;
  const folder = temporaryFolder('typescript', { ...files, 'app.ts': app });
  const write = (name: string, text: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const call = (env: Record<string, string> = {}) =>
    run(['dist/bin/everywire.js', 'call', join(folder, 'app.ts'), 'F'], undefined, {
      XDG_CACHE_HOME: join(folder, 'cache'),
      ...env,
    });
  return { folder, write, call, answer: async () => (await call()).stdout };
}

interface Project {
  readonly folder: string;
  readonly write: (name: string, text: string) => void;
  readonly call: (env?: Record<string, string>) => ReturnType<typeof run>;
  readonly answer: () => Promise<string>;
}

const result = (value: unknown) => JSON.stringify({ result: value });

/** Whether compiled code was kept. */
const isCompiled = ({ folder }: Project) => readdirSync(join(folder, 'cache/everywire')).includes('graphs');

describe(proves('typescript.runs', 'a TypeScript module'), () => {
  const EVERY_KIND = {
    'tsconfig.json': '{ "extends": ["base", "./more.json"] } // a comment',
    'node_modules/base/tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
    'more.json':
      '{ "compilerOptions": { "paths": { "@lib/*": ["./no/*", "./lib/*"], "@lib": ["./lib"], "#c": ["./lib/c"] } } }',
    'a.ts': 'export const a = 1; export type Note = string;',
    'folder/index.ts': 'export * from "../a.js"; export const b: number = 2;',
    'lib/c.ts': 'enum C { three = 3 }\nexport const c: number = C.three;',
    'lib/index.ts': 'function d(t: any, k: string, p: any) {}\nexport class L { @d l() { return 4; } }',
    'data.json': '{ "d": 5, "not a name": 6 }',
    'm.mts': 'export const m = 7;',
    'x.tsx': 'export const x = <T,>(it: T) => it;',
    'old.cts': 'import os = require("node:os");\nexport = { old: os.EOL.length, r: require("./a").a };',
    'plain.js': 'import { js } from "./js-ts.js"; export { js };',
    'js-ts.ts': 'export const js: number = 9;',
    'node_modules/dep/package.json': '{ "type": "module", "exports": { "import": "./index.js" } }',
    'node_modules/dep/index.js': 'export const dep = 10;',
    'using.ts':
      'export const log: string[] = [];\n{ using a = { [Symbol.dispose]() { log.push("a"); } }; log.push("in"); }',
    'names.ts':
      '/** @internal */\nclass P { accessor n = 1 }\nconst it = new P(), __dirname = it.n;\nclass require {}\nexport const names = [__dirname, new require() instanceof require, typeof __filename];',
    'package.json': '{ "type": "commonjs" }',
  };

  it(proves('cli.typescript', 'imports what TypeScript finds, with and without a compile cache'), async () => {
    const app = project(
      EVERY_KIND,
      `Promise.all([a, b, c, c2, new L().l(), data.d, d, typed.d, m, x(8), old.old, old.r, js, dep, log.join(), import('./folder').then((m) => ({ ...m })),
        import('./' + 'lib/c').then((m) => m.c), import('@lib/c').then((m) => m.c), import('./no' + 'where').catch((e) => e.code), EOL, typeof __dirname,
        require('./data.json').d, names, import.meta.resolve('./a.ts').slice(-5), typeof import.meta])`,
      `import { a, Note } from './a.js';\nimport { b } from './folder';\nimport { c } from '@lib/c.js';\nimport { c as c2 } from '#c';
import { L } from '@lib';\nimport data, { d } from './data.json';\nimport typed from './data.json' with { type: 'json' };
import { m } from './m.mjs';\nimport { x } from './x';\nimport old from './old.cjs';\nimport { js } from './plain.js';
import { dep } from 'dep';\nimport { log } from './using';\nimport { names } from './names';\nimport os = require('node:os');\nconst { EOL } = os, note: Note = '';`,
    );
    const late = [
      { a: 1, b: 2 },
      3,
      3,
      'ERR_MODULE_NOT_FOUND',
      '\n',
      'string',
      5,
      [1, true, 'string'],
      '/a.ts',
      'object',
    ];
    const expected = result([1, 2, 3, 3, 4, 5, 5, 5, 7, 8, 1, 1, 9, 10, 'in,a', ...late]);
    for (const env of [{}, {}, { XDG_CACHE_HOME: '/dev/null' }])
      expect(await app.call(env)).toEqual({ stdout: expected, stderr: '', code: 0 });
  });

  it.each([
    `JSON.parse('{')`,
    `new RegExp('(')`,
    `throw new SyntaxError('The requested module does not provide an export named a')`,
    `await import('./missing.ts')`,
    `await import('./syntax.ts')`,
    `await import('./links.ts')`,
    `await import('nothing')`,
    `require('./missing.cjs')`,
    `null.field`,
    `await Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }))`,
  ])('runs once if it ends with %s', async (end) => {
    const app = project({ 'syntax.ts': 'let = ;', 'links.ts': `import { no } from './e.mjs'; no;`, 'e.mjs': '' }, '1');
    app.write('app.ts', `import type { Stats } from 'node:fs';\nprocess.stderr.write('ran ');\n${end};\nexport {};`);
    const { code, stderr } = await app.call();
    expect([code, stderr.split('ran ').length - 1]).toEqual([1, 1]);
  });

  it('has template literals as they are, however they are nested', async () => {
    const part = fc.stringMatching(/^(?:[a-z]|\n|  |--|\/\/|\\`|\{|'){0,8}$/);
    const { template } = fc.letrec((tie) => ({
      template: fc.array(fc.tuple(part, tie('inner')), { maxLength: 3 }).map((all) => `\`${all.flat().join('')}\``),
      inner: fc.oneof(
        { maxDepth: 3 },
        fc.constant('${x}'),
        tie('template').map((one) => `\${[x].map((x) => {\n  return ${String(one)};\n})}`),
      ),
    }));
    const sources = fc.sample(template as fc.Arbitrary<string>, { numRuns: size(100, 2000), seed: 1 });
    // Each in a file of its own: one of them must not decide about all.
    const files = sources.map((one, i) => [`t${i}.ts`, `enum E {}\nconst x: string = 'x';\nexport const t = ${one};`]);
    const imports = sources.map((_, i) => `import { t as t${i} } from './t${i}.ts';`);
    const app = project(Object.fromEntries(files), `[${sources.map((_, i) => `t${i}`).join()}]`, imports.join('\n'));
    const expected = runInThisContext(`(() => { const x = 'x'; return [${sources.join(',\n')}]; })()`) as unknown;
    expect(JSON.parse(await app.answer())).toEqual({ result: expected });
  });

  it('sees its own place, imports late, and runs once for all that import it', async () => {
    const app = project(
      {
        'count.ts': 'export const count = { value: 0 }; count.value++;',
        'a.ts': 'import { count } from "./count.ts"; import "./b.ts"; count.value++;',
        'b.ts': 'import { count } from "./count.ts"; import "./a.ts"; count.value++;',
      },
      `import('./a.ts').then(() => [count.value, import.meta.url, import.meta.dirname])`,
      `import { count } from './count.ts';`,
    );
    const expected = result([3, `file://${app.folder}/app.ts`, app.folder]);
    expect([await app.answer(), isCompiled(app)]).toEqual([expected, true]);
  });

  it('has its own lines in stack traces', async () => {
    const app = project(
      {
        'fails.ts': `interface A {
  a: string;
}

type B = A;
export function fail(one: A, two: { b: B },
                     three: number): string { const x = 1;
    return x + one.a + nothing(two); }
/** Not reached
 * by anyone. */
function nothing(what: unknown): string {
  // as it is
  throw new Error('no', { cause: what });
}`,
      },
      `{ try { return fail({ a: '' }, { b: { a: '' } }, 1) } catch (e) { return e.stack.split('\\n').slice(1, 3) } }`,
      `import { fail } from './fails.ts';`,
    );
    const expected = result([
      `    at nothing (file://${app.folder}/fails.ts:13:9)`,
      `    at fail (file://${app.folder}/fails.ts:8:24)`,
    ]);
    expect([await app.answer(), await app.answer()]).toEqual([expected, expected]);
  });
});

describe(proves('plain.cache', 'compiled code'), () => {
  const simple = () => project({ 'a.ts': 'export const a: number = 1;' }, 'a', `import { a } from './a.ts';`);

  it('is loaded again without anything that compiles', async () => {
    const app = simple();
    const first = await loadedBy(app.call);
    const second = await loadedBy(app.call);
    const compilers = (urls: readonly string[]) => urls.filter((url) => /oxc-transform|es-module-lexer|jiti/.test(url));
    expect(compilers(first).length).toBeGreaterThan(0);
    expect(compilers(second)).toEqual([]);
  });

  it('has the decorators that tsconfig.json asks for, and never others', async () => {
    const decorated = `function twice(_: object, __: string, it: PropertyDescriptor): void {
  const { value } = it;
  it.value = (x: number) => 2 * value(x);
}
const named = (name: string) => (it: { title?: string }): void => { it.title = name; };
const log: unknown[] = [];
const note = (...it: unknown[]): void => { log.push(it.slice(1).map(String)); };
@named('sums')
export class Sums { @note field?: number; @twice same(@note x: number): number { return x; } static log = log; static title?: string }`;
    const files = { 'sums.ts': decorated, 'base.json': '{ "compilerOptions": { "experimentalDecorators": true } }' };
    const app = project(files, '[new Sums().same(2), Sums.title, Sums.log]', `import { Sums } from './sums.ts';`);
    const refused = await app.call();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('sums.ts has decorators, which run only with "experimentalDecorators": true');
    app.write('tsconfig.json', '{ "extends": "./base", /* "experimentalDecorators": false */ }');
    const noted = [
      ['field', 'undefined'],
      ['same', '0'],
    ];
    expect(await app.answer()).toBe(result([4, 'sums', noted]));
    app.write('tsconfig.json', '{ "extends": "./base", "compilerOptions": { "experimentalDecorators": false } }');
    expect((await app.call()).code).toBe(1);
  });

  it('finds a file that was not there before, by paths of a tsconfig.json with a byte order mark', async () => {
    const files = { 'tsconfig.json': '\uFEFF{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }' };
    const app = project(files, 'a', `import { a } from '@/a';`);
    expect((await app.call()).code).toBe(1);
    app.write('lib/a.ts', 'export const a: number = 1;');
    expect(await app.answer()).toBe(result(1));
  });

  it('runs without the options of a tsconfig.json that is broken, with a warning each time', async () => {
    const app = project({ 'tsconfig.json': '// a comment\n{ "compilerOptions": {' }, '1');
    for (let i = 0; i < 2; i++) {
      const { stdout, stderr } = await app.call();
      expect(stdout).toBe(result(1));
      expect(stderr).toMatch(
        /EverywireWarning: \/\S+tsconfig\.json:2:23: unexpected end; options in it may be ignored\n {2}2 \| \{ "comp.+\n {4}\| {23}\^\n/,
      );
    }
  });

  it('is found by a link', async () => {
    const app = project({}, '1');
    const again = project({}, '2');
    const place = join(app.folder, 'app-link.ts');
    const call = () =>
      run(['dist/bin/everywire.js', 'call', place, 'F'], undefined, { XDG_CACHE_HOME: join(app.folder, 'cache') });
    symlinkSync(join(app.folder, 'app.ts'), place);
    expect((await call()).stdout).toBe(result(1));
    rmSync(place);
    symlinkSync(join(again.folder, 'app.ts'), place);
    expect((await call()).stdout).toBe(result(2));
  });

  it('is compiled again after a change, but not for another timestamp', async () => {
    const app = simple();
    await app.answer();
    utimesSync(join(app.folder, 'a.ts'), 1e9, 1e9);
    await app.answer();
    expect(codeOf(app).length).toBe(2);
    app.write('a.ts', 'export const a: number = 2;');
    expect(await app.answer()).toBe(result(2));
    expect(codeOf(app).length).toBe(4);
  });

  const manifest = (to: string) => `{ "name": "p", "type": "module", "exports": "./${to}.js" }`;
  const config = (to: string) => `{ "compilerOptions": { "paths": { "@lib": ["./no.ts", "../../${to}.ts"] } } }`;
  const js = (value: number) => `export default ${value};`;

  /** What is changed, and how; all that was imported is 1 before, and one thing is 2 after it. */
  const CHANGES: Record<string, (write: Project['write'], link: Project['write']) => void> = {
    'a file': (write) => write('one.ts', js(2)),
    'a file that is found first': (write) => write('found.ts', js(2)),
    'a link to a folder': (_, link) => link('current', 'two'),
    'a link of a package': (_, link) => link('node_modules/dep', 'two'),
    'a nearer copy of a package': (write) => {
      write('sub/node_modules/p/package.json', manifest('b'));
      write('sub/node_modules/p/b.js', js(2));
    },
    'exports of a package': (write) => write('node_modules/p/package.json', manifest('b')),
    'imports of the own package': (write) =>
      write('package.json', '{ "type": "module", "imports": { "#own": "./b.js" } }'),
    'paths of a package that tsconfig.json extends': (write) => write('node_modules/base/tsconfig.json', config('b')),
    'a file that paths name first': (write) => write('node_modules/base/no.ts', js(2)),
  };

  it('is not used after any change', async () => {
    const app = project(
      {
        'tsconfig.json': '{ "extends": "base/tsconfig.json" }',
        'node_modules/base/tsconfig.json': config('one'),
        'node_modules/p/package.json': manifest('a'),
        'node_modules/p/a.js': js(1),
        'node_modules/p/b.js': js(2),
        'package.json': '{ "type": "module", "imports": { "#own": "./own.js" } }',
        'one.ts': js(1),
        'b.ts': js(2),
        'b.js': js(2),
        'own.js': js(1),
        'found.js': js(1),
        'sub/index.ts': `export { default } from 'p';`,
        ...Object.fromEntries(
          ['one', 'two'].flatMap((folder, i) => [
            [`${folder}/package.json`, '{ "name": "dep", "type": "module", "exports": "./index.js" }'],
            [`${folder}/index.js`, js(i + 1)],
          ]),
        ),
      },
      '[v0, v1, v2, v3, v4, v5, v6, v7]',
      ['./one', './found.js', './current/index.js', 'dep', './sub', 'p', '#own', '@lib']
        .map((from, i) => `import v${i} from '${from}';`)
        .join('\n'),
    );
    const touched = new Set<string>();
    const link = (name: string, to: string) => {
      rmSync(join(app.folder, name), { force: true });
      symlinkSync(join(app.folder, to), join(app.folder, name));
      touched.add(name);
    };
    const write = (name: string, text: string) => {
      app.write(name, text);
      touched.add(name);
    };
    link('current', 'one');
    link('node_modules/dep', 'one');
    const saved = temporaryFolder('saved');
    cpSync(app.folder, saved, { recursive: true, verbatimSymlinks: true });
    await new Promise((done) => setTimeout(done, 30)); // what is written while it is read is never taken as known
    const before = result([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(await app.answer()).toBe(before);
    for (const [name, change] of Object.entries(CHANGES)) {
      touched.clear();
      change(write, link);
      expect([name, await app.answer()]).toEqual([name, expect.stringMatching(/\[[12,]*2[12,]*\]/)]);
      for (const one of touched) {
        rmSync(join(app.folder, one), { recursive: true, force: true });
        if (existsSync(join(saved, one)))
          cpSync(join(saved, one), join(app.folder, one), { recursive: true, verbatimSymlinks: true });
        else if (one.startsWith('sub/')) rmSync(join(app.folder, 'sub/node_modules'), { recursive: true, force: true });
      }
    }
    expect(await app.answer()).toBe(before);
  });

  it('is not trusted if it is cut off, empty, changed, of another version or not JSON', async () => {
    const app = simple();
    await app.answer();
    for (const change of [
      (text: string) => text.slice(0, -5),
      () => '',
      (text: string) => text.replace('= 1', '= 8'),
      (text: string) => text.replace(/^\S+/, '9.9.9'),
      () => '\0',
    ]) {
      for (const file of [...codeOf(app), ...recordsOf(app)]) writeFileSync(file, change(readFileSync(file, 'utf8')));
      expect(await app.answer()).toBe(result(1));
    }
  });
});

const codeOf = ({ folder }: Project) => pathsIn(join(folder, 'cache/everywire/code'));
const recordsOf = ({ folder }: Project) => pathsIn(join(folder, 'cache/everywire/graphs'));
const pathsIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name));

afterEach(() => vi.unstubAllEnvs());

function home(): string {
  const folder = temporaryFolder('cache');
  vi.stubEnv('XDG_CACHE_HOME', folder);
  return folder;
}

describe('the folder for what is made once', () => {
  it('is made for its owner alone', () => {
    const folder = join(home(), 'everywire');
    expect(cacheFolder()).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(cacheFolder()).toBe(folder);
  });

  it('is none that others can write to, a link, or where nothing can be made', () => {
    const open = join(home(), 'everywire');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(cacheFolder()).toBeUndefined();
    symlinkSync(tmpdir(), join(home(), 'everywire'));
    expect(cacheFolder()).toBeUndefined();
    writeFileSync(join(home(), 'everywire'), '');
    expect(cacheFolder()).toBeUndefined();
  });
});
