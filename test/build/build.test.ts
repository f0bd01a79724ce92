import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { statSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readsOwnFiles } from '../../src/build/own-files.ts';
import { writeAtomically } from '../../src/load/write-atomically.ts';
import { asJson } from '../kit/as-json.ts';
import { builtApp, type Kind } from '../kit/built.ts';
import { command } from '../kit/command.ts';
import { untilServing } from '../kit/served.ts';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';
import { fromSource, parseCgi, runCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';
import { loadedBy } from './loaded.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const sum = new TextEncoder().encode('{"x":1,"y":2}');
const request = { REQUEST_METHOD: 'POST', PATH_INFO: '/Add', CONTENT_LENGTH: '13' };

/** The calculator in a folder without node_modules, whose path contains unusual characters. */
async function alone(kind: Kind): Promise<string> {
  // The package.json around it must not matter.
  const manifest = JSON.stringify({ type: kind === 'mjs' ? 'commonjs' : 'module' });
  const file = join(temporaryFolder("it's ünïcode", { 'package.json': manifest }), `calculator.${kind}`);
  copyFileSync(await builtApp('calculator', kind), file);
  chmodSync(file, 0o755);
  return file;
}

/** A project that can import everywire. */
function project(files: Record<string, string>): string {
  const folder = temporaryFolder('project', files);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** An app whose functions return these expressions. */
const app = (bodies: Readonly<Record<string, string>>, before = '') => `
import { createApp, defineFunction } from 'everywire';
${before}
const say = (name, run) => defineFunction({
  name, description: 'Says something',
  output: { type: 'string', description: 'What it says' },
  run,
});
const functions = [${Object.entries(bodies)
  .map(([name, body]) => `say('${name}', () => ${body})`)
  .join(', ')}];
export default createApp({ name: 'Sayer', version: '1.0.0', functions });
`;

const build = (folder: string, module: string, ...flags: string[]) =>
  command(['build', join(folder, module), ...flags]);

const kinds = (['mjs', 'cjs'] as const).slice(0, size(1, 2));
describe.each<Kind>(kinds)('a built app, .%s', (kind) => {
  let file: string;
  beforeAll(async () => void (file = await alone(kind)));

  it(proves('build.one-file', 'is one executable file without dependencies'), async () => {
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
    expect(statSync(await builtApp('calculator', kind)).mode & 0o777).toBe(0o755);
    const child = spawn(file, ['add', '--x', '1', '--y', '2'], { cwd: '/' });
    expect(await textOf(child.stdout)).toBe('{"result":3}');
  });

  it(proves('build.every-wire', 'is a command, with help'), async () => {
    expect((await run([file, '--help'])).stdout).toMatch(/^Calculator v1\.0\.0 \(based on everywire v/);
    const wrong = await run([file, 'add', '--x', 'ten', '--y', '1', '--json']);
    const expected = ['{"error":"Invalid arguments: /x: expected integer, got \\"ten\\""}', 2];
    expect([wrong.stdout, wrong.code]).toEqual(expected);
  });

  it(proves('build.every-wire', 'is a CGI script, also through a link and without arguments'), async () => {
    const link = join(temporaryFolder('link'), `calc.${kind}`);
    symlinkSync(file, link);
    for (const args of [[file, 'cgi'], [link]]) {
      const { stdout, code } = await runCgi(args, request, sum);
      expect([parseCgi(stdout).body, code]).toEqual(['{"result":3}', 0]);
    }
  });

  it(proves('build.every-wire', 'is an HTTP server, with its document and MCP'), async () => {
    const child = spawn(process.execPath, [file, 'serve', '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const { url } = await untilServing(child);
    const accept = 'application/json, text/event-stream';
    const post = async (path: string, body: object) => (await fetch(url + path, asJson(body, { accept }))).text();
    expect(await post('/functions/Add', { x: 1, y: 2 })).toBe('{"result":3}');
    expect(await (await fetch(`${url}/openapi.json`)).text()).toContain('"operationId":"functions.Add"');
    expect(await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toContain('functions.DivMod');
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it(proves('build.every-wire', 'is an MCP server on stdio'), async () => {
    const client = new Client({ name: 'built', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [file, 'mcp'], stderr: 'ignore' }),
    );
    const result = await client.callTool({ name: 'functions.Add', arguments: { x: 1, y: 2 } });
    expect(result).toMatchObject({ content: [{ text: '{"result":3}' }] });
    await client.close();
  });

  it(proves('build.every-wire', 'is a module that exports the app'), async () => {
    expect(await callEach(file, { Add: { x: 1, y: 2 } })).toEqual({ Add: { ok: true, data: 3 } });
  });

  it(proves('build.lean', 'loads only what a CGI request needs'), async () => {
    const scriptsOf = async (more: Record<string, string>) => {
      const loaded = await loadedBy((env) => runCgi([file, 'cgi'], { ...request, ...env, ...more }, sum));
      return loaded.filter((url) => /built(?:#|%23)/.test(url)).map((url) => url.replace(/^.*built(?:#|%23)/, ''));
    };
    // One script contains everything that is needed.
    expect(await scriptsOf({})).toEqual(['main.js']);
    const [, ...more] = await scriptsOf({ REQUEST_METHOD: 'GET', PATH_INFO: '/openapi.json' });
    expect(more).toEqual([expect.stringMatching(/^document/)]);
    const [[together]] = JSON.parse(/^const PLACES = (.*);$/m.exec(readFileSync(file, 'latin1'))![1]!) as [[string[]]];
    expect(
      together.filter((name) => /late|mcp-stdio|document|serve|shared|dist-|complete|host-folder/.test(name)),
    ).toEqual([]);
  });

  it(proves('build.cached', 'has a code cache for the parts that a CGI request needs'), async () => {
    // Replaces vm.Script to see whether the code cache was accepted.
    const watch = `
      const vm = require('node:vm');
      const taken = [];
      vm.Script = class extends vm.Script {
        constructor(code, options) {
          super(code, options);
          taken.push(options.cachedData !== undefined && !this.cachedDataRejected);
        }
      };
      process.on('exit', () => process.stderr.write(JSON.stringify(taken)));`;
    writeFileSync(join(file, '../watch.cjs'), watch);
    const { stdout, stderr } = await runCgi(['--require', join(file, '../watch.cjs'), file, 'cgi'], request, sum);
    expect(parseCgi(stdout).body).toBe('{"result":3}');
    const taken = JSON.parse(stderr) as boolean[];
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter((one) => !one)).toEqual([]);
    // Flags that change the generated code: V8 must reject the cache and compile.
    const other = await runCgi(['--no-opt', '--max-lazy', file, 'cgi'], request, sum);
    expect(parseCgi(other.stdout).body).toBe('{"result":3}');
  });

  it(proves('build.one-file', 'reports that it is incomplete'), async () => {
    const cut = await alone(kind);
    truncateSync(cut, statSync(cut).size - 1000);
    const { stdout, code } = await run([cut, 'add', '--x', '1', '--y', '2']);
    expect([stdout, code === 0]).toEqual(['', false]);
  });
});

/** The outcomes of functions of an app, imported from a built file by a process that has nothing else. */
async function callEach(file: string, calls: Readonly<Record<string, object>>): Promise<Record<string, unknown>> {
  const program = `import(${JSON.stringify(pathToFileURL(file).href)}).then(async ({ default: app }) => {
    const outcomes = {};
    for (const [name, input] of Object.entries(${JSON.stringify(calls)})) outcomes[name] = await app.call(name, input);
    console.log(JSON.stringify(outcomes));
  })`;
  return JSON.parse((await run(['--eval', program])).stdout) as Record<string, unknown>;
}

it(proves('build.lean', 'the command from source loads only what it needs, too'), async () => {
  const answer = (env: Record<string, string>) => runCgi(fromSource('calculator'), { ...request, ...env }, sum);
  await answer({}); // compiles it
  const loaded = await loadedBy(answer);
  const late =
    /\/(?:jiti|oxc-transform|es-module-lexer|typescript)\/|modelcontextprotocol|wires\/openapi|rolldown|clack|hosts\/node/;
  expect(loaded.filter((url) => late.test(url))).toEqual([]);
});

/** What each function does that a bundler could break. All of them return LOUD. */
const bodies = {
  Enum: 'Tone.Loud',
  OwnAddress: "readFileSync(new URL('said.txt', import.meta.url), 'utf8')",
  EndOfComment: "['*/', /L*/.exec('LOUD')?.input].at(1) as string",
  NodeImportedLate: "import('node:path').then(({ basename }) => basename('/x/LOUD'))",
  MissingPackage: "(() => { try { return require('no-such-package') && 'there'; } catch { return 'LOUD'; } })()",
  Strict:
    "(() => { try { (Object.freeze({ a: 1 }) as { a: number }).a = 2; return 'quiet'; } catch { return 'LOUD'; } })()",
  ComputedImport: "import(['./', 'late', '.mjs'].join('')).then(({ said }) => said)",
  LettersOfTheWorld: "'ĹÖÜÐ🔊'.replace(/.+/u, 'LOUD')",
  LettersAsWritten:
    "[String.raw`\\é` === '\\\\é', /[é…]/u.source === '[é…]', `\\é\\\\é` === 'é\\\\é'].every(Boolean) ? 'LOUD' : 'wrong'",
};
const top = `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
enum Tone { Loud = 'LOUD' }
/** a comment */`;
const said = { 'said.txt': 'LOUD', 'late.mjs': "export const said = 'LOUD';" };

async function expectAllLoud(file: string): Promise<void> {
  const names = Object.keys(bodies);
  const answers = await callEach(file, Object.fromEntries(names.map((name) => [name, {}])));
  expect(answers).toEqual(Object.fromEntries(names.map((name) => [name, { ok: true, data: 'LOUD' }])));
}

describe('what can be built', () => {
  it(proves('build.sources', 'all that runs'), async () => {
    const folder = project({ 'app.ts': app(bodies, top), ...said });
    const { stdout, stderr, code } = await build(folder, 'app.ts');
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toMatch(/^Sayer v1\.0\.0 is in .*app\.built\.mjs \(\d+ KiB\)\n$/);
    await expectAllLoud(join(folder, 'app.built.mjs'));
  });

  it(proves('build.sources', 'nothing without the bundler, with a clear message'), async () => {
    const folder = project({ 'app.mjs': app({ Say: "'LOUD'" }) });
    // The published package, without the optional peers.
    unlinkSync(join(folder, 'node_modules'));
    await unpackInto(folder);
    const home = join(folder, 'node_modules/everywire');
    const { stderr, code } = await run([join(home, 'dist/bin/everywire.js'), 'build', join(folder, 'app.mjs')]);
    expect(stderr).toBe('error: build needs rolldown, which is not installed: npm install --save-dev rolldown\n');
    expect(code).toBe(1);
  });

  it(proves('build.sources', 'everything else fails with a clear message, and leaves no file'), async () => {
    const folder = project({
      'nothing.ts': 'export const x = 1;',
      'app.mjs': app({ Say: "'x'" }),
      'lost.ts': app({ Say: "import('./lost-and-gone.ts')" }),
      'waits.ts': app({ Say: "'x'" }, 'await Promise.resolve();'),
    });
    mkdirSync(join(folder, 'taken'));
    copyFileSync(await builtApp('calculator'), join(folder, 'taken/built.mjs'));
    const files = () => [folder, join(folder, 'taken')].map((one) => readdirSync(one));
    const before = files();
    for (const [reason, module, out] of [
      ['No such module', 'missing.ts'],
      ['exports no app', 'nothing.ts'],
      ['would be overwritten', 'app.mjs', 'app.mjs'],
      ['is a build already', 'taken/built.mjs'],
      ['cannot be written', 'app.mjs', 'taken'],
      ["Could not resolve './lost-and-gone.ts'", 'lost.ts'],
      ['uses top-level await', 'waits.ts', 'waits.cjs'],
    ] as [string, string, string?][]) {
      const { stderr, code } = await build(folder, module, ...(out ? ['--out', join(folder, out)] : []));
      expect(stderr).toContain(reason);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(code).toBe(1);
    }
    expect(files()).toEqual(before);
  });

  it(proves('build.one-file', 'no link at the temporary name is followed, and no temporary file stays'), () => {
    const out = temporaryFolder('out');
    const [victim, path] = [join(out, 'victim'), join(out, 'app.mjs')];
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, `${path}.guessed.tmp`);
    const guessed = vi.spyOn(crypto, 'randomUUID').mockReturnValue('guessed' as never);
    expect(() => writeAtomically(path, 'built', 0o755)).toThrow('EEXIST');
    guessed.mockRestore();
    writeAtomically(path, 'built', 0o755);
    expect(readFileSync(victim, 'utf8')).toBe('untouched');
    expect(readdirSync(out).toSorted()).toEqual(['app.mjs', 'app.mjs.guessed.tmp', 'victim']);
  });
});

/** Native code of this machine, which is installed anyway. */
const NATIVE = readdirSync('node_modules/@oxc-transform', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.node'))
  .map((file) => resolve('node_modules/@oxc-transform', file))[0]!;
const loud = "exports.said = 'LOUD';";
const isNative = "if (typeof native.transformSync !== 'function') throw new Error('no native code');";

/** Packages that do not work in a bundle, as files by path, and why. Each has one property, which is LOUD. */
const OUTSIDE: Readonly<Record<string, [reason: string, files: Record<string, string>]>> = {
  gyp: [
    'native code',
    {
      'package.json': '{"name":"gyp","version":"1.2.3"}',
      'binding.gyp': '{}',
      'index.js': `const native = require([__dirname, 'build/its.node'].join('/')); ${isNative} ${loud}`,
    },
  ],
  '@scope/prebuilt': [
    'native code',
    {
      'package.json': '{"name":"@scope/prebuilt","version":"2.0.0","optionalDependencies":{"for-here":"1.0.0"}}',
      'index.js': `const native = require('for-here'); ${isNative} ${loud}`,
      '../../for-here/package.json': '{"name":"for-here","version":"1.0.0","os":["any"],"main":"build/its.node"}',
    },
  ],
  around: [
    'uses inner: native code',
    {
      'package.json': '{"name":"around","version":"4.0.0","dependencies":{"inner":"1"}}',
      'index.js': "module.exports = require('inner');",
      'node_modules/inner/package.json': '{"name":"inner","version":"1.0.0","gypfile":true}',
      'node_modules/inner/index.js': loud,
    },
  ],
  reads: [
    'reads its own files',
    {
      'package.json': '{"name":"reads","version":"3.0.0","type":"module","exports":"./lib/index.js"}',
      'lib/index.js': `import { readFileSync } from 'node:fs';
        export const said = readFileSync(new URL('../data/said.txt', import.meta.url), 'utf8');`,
      'data/said.txt': 'LOUD',
    },
  ],
  computes: [
    '--external',
    {
      'package.json': '{"name":"computes","version":"5.0.0"}',
      'index.js': "exports.said = require('node:fs').readFileSync([__dirname, 'it' + '.txt'].join('/'), 'utf8');",
      'it.txt': 'LOUD',
    },
  ],
  // Works without.
  soft: [
    '',
    {
      'package.json': '{"name":"soft","version":"6.0.0","optionalDependencies":{"fast":"1"}}',
      'index.js': `try { require('fast'); } catch {} ${loud}`,
      '../fast/package.json': '{"name":"fast","version":"1.0.0"}',
      '../fast/binding.gyp': '{}',
      '../fast/index.js': loud,
    },
  ],
};

/** A project with these packages, and a function for each. */
function projectWith(packages: typeof OUTSIDE): string {
  const imports = Object.keys(packages).map((name, i) => `import { said as s${i} } from '${name}';`);
  const bodiesOf = Object.fromEntries(Object.keys(packages).map((_, i) => [`Say${i}`, `s${i}`]));
  const files = Object.entries(packages).flatMap(([name, [, own]]) =>
    Object.entries(own).map(([path, text]) => [join('node_modules', name, path), text] as const),
  );
  const folder = temporaryFolder('outside', {
    'package.json': '{"name":"app","type":"module"}',
    'app.mjs': app(bodiesOf, imports.join('\n')),
    ...Object.fromEntries(files),
  });
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  for (const name of ['gyp', 'for-here']) {
    mkdirSync(join(folder, 'node_modules', name, 'build'), { recursive: true });
    symlinkSync(NATIVE, join(folder, 'node_modules', name, 'build/its.node'));
  }
  return folder;
}

describe('packages that cannot be in a bundle', () => {
  const listed = Object.entries(OUTSIDE)
    .filter(([, [reason]]) => reason !== '')
    .map(([name, [reason, files]]) => ({
      name,
      reason,
      ...(JSON.parse(files['package.json']!) as { version: string }),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const list = listed.map(({ name, version, reason }) => `  ${name} ${version} (${reason})\n`).join('');
  const all = Object.keys(OUTSIDE).map((_, i) => `Say${i}`);
  const calls = Object.fromEntries(all.map((name) => [name, {}]));
  const expected = Object.fromEntries(all.map((name) => [name, { ok: true, data: 'LOUD' }]));

  it(proves('build.externals', 'stay outside, are listed with version and reason, and copied if asked'), async () => {
    const folder = projectWith(OUTSIDE);
    const { stderr, code } = await build(folder, 'app.mjs', '--external', 'computes');
    const specs = listed.map(({ name, version }) => `${name}@${version}`).join(' ');
    expect([stderr, code]).toEqual([
      `Not in the file, and needed in node_modules beside it or in a folder above:\n${list}Where they are missing: npm install ${specs}\n`,
      0,
    ]);
    expect(await callEach(join(folder, 'app.built.mjs'), calls)).toEqual(expected);
    // Nothing is left of the trial.
    expect(readdirSync(folder).toSorted()).toEqual(['app.built.mjs', 'app.mjs', 'node_modules', 'package.json']);

    // An earlier copy is replaced.
    const out = temporaryFolder('copied', { 'node_modules/.everywire-build': '', 'node_modules/stale': '' });
    const config = { build: { external: ['computes'], copyExternals: true, out: join(out, 'app.mjs') } };
    writeFileSync(join(folder, 'everywire.config.json'), JSON.stringify(config));
    const copied = await command(['build', 'app.mjs'], { cwd: folder });
    expect(copied.stderr).toMatch(/^Not in the file, but copied with what they need into .*node_modules:\n/);
    rmSync(folder, { recursive: true });
    const names = readdirSync(join(out, 'node_modules'));
    expect(names).toEqual(expect.arrayContaining(['around', 'inner', 'fast', 'for-here', 'gyp', 'reads']));
    expect(names.filter((name) => name === 'soft' || name === 'stale')).toEqual([]);
    expect(await callEach(join(out, 'app.mjs'), calls)).toEqual(expected);
  });

  it.each([
    [true, "fs.readFileSync(path.join(__dirname, '..', 'data', 'a.txt'), 'utf8')"],
    [true, "read(__dirname + '/b.wasm')"],
    [true, "new Worker(new URL('./worker.js', import.meta.url))"],
    [true, "const here = dirname(fileURLToPath(import.meta.url));\nconst data = join(here, '../data');"],
    [true, "require.resolve('./worker')"],
    [true, "const require = createRequire(import.meta.url); require('../data/a.json')"],
    [true, "var path = __dirname + '/'; function load() { return read(path + name('b.wasm')) }"],
    [false, "require('../data/a.json'); console.log(__filename)"],
    [false, "const require = createRequire(import.meta.url); require('node:fs')"],
    [false, "new URL('./missing.js', import.meta.url); join(__dirname, 'missing')"],
    [false, "new URL('data:text/plain,x', import.meta.url); join(__dirname, '/')"],
    [false, `${'__dirname('.repeat(20_000)}'../data'`],
  ])(proves('build.externals', 'are recognised: %s for %s'), (isOutside, code) => {
    const files = { 'lib/b.wasm': '', 'lib/worker.js': '', 'data/a.txt': '', 'data/a.json': '{}' };
    const folder = temporaryFolder('reads', files);
    expect(readsOwnFiles(code, join(folder, 'lib/index.js'))).toBe(isOutside);
  });

  it(proves('build.externals', 'may be packages that can only be imported'), async () => {
    const [reason, files] = OUTSIDE['reads']!;
    const onlyImport = { ...files, 'package.json': files['package.json']!.replace(/"\.\/lib.*"/, '{"import":$&}') };
    const folder = projectWith({ reads: [reason, onlyImport] });
    expect(await build(folder, 'app.mjs')).toMatchObject({ code: 0 });
    expect(await callEach(join(folder, 'app.built.mjs'), { Say0: {} })).toEqual({ Say0: { ok: true, data: 'LOUD' } });
  });

  it(proves('build.starts', 'a file that cannot start is no build, and replaces none'), async () => {
    const { computes } = OUTSIDE;
    const folder = projectWith({ computes: computes! });
    const refused = async (...flags: string[]) => {
      const { stdout, stderr, code } = await build(folder, 'app.mjs', '--out', join(folder, 'out/app.mjs'), ...flags);
      expect([stdout, code]).toEqual(['', 1]);
      expect(stderr).not.toMatch(/^ +at /m);
      return stderr;
    };
    const hint = 'A package that does not work in a build stays outside with --external <package>\n';
    expect(await refused()).toMatch(new RegExp(`^error: the built file cannot start: ENOENT: .*it\\.txt.*\\n${hint}$`));
    expect(readdirSync(join(folder, 'out'))).toEqual([]);
    writeFileSync(join(folder, 'out/app.mjs'), 'the last good one');
    // Also a single module, and what is asked for in vain.
    writeFileSync(join(folder, 'app.mjs'), `${readFileSync(join(folder, 'app.mjs'), 'utf8')}await 0;`);
    expect(await refused()).toMatch(
      /the built file cannot start: ReferenceError: __dirname is not defined .*out\/app.mjs:/,
    );
    expect(readFileSync(join(folder, 'out/app.mjs'), 'utf8')).toBe('the last good one');
    expect(await refused('--external', 'compute')).toMatch(/^error: --external compute: .*app\.mjs imports no such/);
    expect(await refused('--external', 'everywire')).toBe('error: everywire cannot be outside of a build\n');
    mkdirSync(join(folder, 'out/node_modules'));
    expect(await refused('--external', 'computes', '--copy-externals')).toMatch(/exists and is not a copy of a build/);
    writeFileSync(join(folder, 'app.mjs'), `import './own.node';\n${app({ Say: "'x'" })}`);
    copyFileSync(NATIVE, join(folder, 'own.node'));
    expect(await refused()).toMatch(/own\.node is native code, which a build cannot contain; put it into a package/);
  });
});

it(proves('build.named', 'a build beside its module is not run in its place, and has top-level await'), async () => {
  const word = (text: string) => `export const word: string = '${text}';\n`;
  const before = `${top}\nimport { word } from './word.ts';\nawait Promise.resolve();`;
  const folder = project({ 'app.ts': app({ ...bodies, Say: 'word' }, before), 'word.ts': word('LOUD'), ...said });
  const say = async (file: string) => (await run([EVERYWIRE, 'call', join(folder, file), 'Say'])).stdout;
  await build(folder, 'app.ts');
  await expectAllLoud(join(folder, 'app.built.mjs'));
  writeFileSync(join(folder, 'word.ts'), word('other'));
  expect([await say('app.ts'), await say('app.built.mjs')]).toEqual(['{"result":"other"}', '{"result":"LOUD"}']);
  writeFileSync(join(folder, 'app.built.mjs'), '#!/usr/bin/env node\nthrow new Error("broken");');
  expect(await say('app.ts')).toBe('{"result":"other"}');
});
