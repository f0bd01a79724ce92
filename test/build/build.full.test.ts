import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { App } from 'everywire';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { builtApp } from '../kit/built.ts';
import type { Kind } from '../kit/built.ts';
import { fromSource, parseCgi, runCgi } from '../wires/cgi.ts';
import { run } from '../wires/cli.ts';
import { loadedBy } from './loaded.ts';

const EVERYWIRE = resolve('dist/bin/everywire.js');
const sum = new TextEncoder().encode('{"x":1,"y":2}');
const request = { REQUEST_METHOD: 'POST', PATH_INFO: '/Add', CONTENT_LENGTH: '13' };

/** A folder without node_modules, whose path contains unusual characters. */
async function alone(kind: Kind): Promise<string> {
  const folder = temporaryFolder("it's ünïcode");
  const file = join(folder, `calculator.${kind}`);
  copyFileSync(await builtApp('calculator', kind), file);
  // The package.json around it must not matter.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: kind === 'mjs' ? 'commonjs' : 'module' }));
  chmodSync(file, 0o755);
  return file;
}

/** A project that can import everywire. */
function project(files: Record<string, string>): string {
  const folder = temporaryFolder('project');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const app = (body: string, before = '') => `import { createApp, defineFunction } from 'everywire';
${before}
const say = defineFunction({
  name: 'Say', description: 'Says something',
  output: { type: 'string', description: 'What it says' },
  run: () => ${body},
});
export default createApp({ name: 'Sayer', version: '1.0.0', functions: [say] });
`;

describe.each<Kind>(['mjs', 'cjs'])('a built app, .%s', (kind) => {
  it(proves('build.one-file', 'is one file without dependencies'), async () => {
    const file = await alone(kind);
    expect(readFileSync(file, 'utf8').split('\n')[0]).toBe('#!/usr/bin/env node');
    expect(statSync(await builtApp('calculator', kind)).mode & 0o777).toBe(0o755);
    const child = spawn(file, ['add', '--x', '1', '--y', '2'], { cwd: '/' });
    let output = '';
    for await (const part of child.stdout.setEncoding('utf8')) output += part as string;
    expect(output).toBe('{"result":3}');
  });

  it(proves('build.every-wire', 'is a command, with help'), async () => {
    const file = await alone(kind);
    expect((await run([file, 'div-mod', '--x', '17', '--y', '5'])).stdout).toBe('{"result0":3,"result1":2}');
    expect((await run([file, '--help'])).stdout).toMatch(/^Calculator v1\.0\.0 \(based on everywire v/);
    const wrong = await run([file, 'add', '--x', 'ten', '--y', '1', '--json']);
    expect([wrong.stdout, wrong.code]).toEqual([
      '{"error":"Invalid arguments: /x: expected integer, got \\"ten\\""}',
      2,
    ]);
  });

  it(proves('build.every-wire', 'is a CGI script, also through a link and without arguments'), async () => {
    const file = await alone(kind);
    const link = join(temporaryFolder('link'), `calc.${kind}`);
    symlinkSync(file, link);
    for (const args of [[file, 'cgi'], [file], [link]]) {
      const { stdout, code } = await runCgi(args, request, sum);
      expect(parseCgi(stdout).body).toBe('{"result":3}');
      expect(code).toBe(0);
    }
  });

  it(proves('build.every-wire', 'is an HTTP server, with its document and MCP'), async () => {
    const child = spawn(process.execPath, [await alone(kind), 'serve', '--port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    const url = await new Promise<string>((found, failed) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        const [address] = /http:\/\/[\d.:]+(?=\/functions)/.exec(log) ?? [];
        if (address) found(address);
      });
      child.once('exit', () => failed(new Error(log)));
    });
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(body),
      }).then((response) => response.text());
    expect(await post('/functions/Add', { x: 1, y: 2 })).toBe('{"result":3}');
    expect(await (await fetch(`${url}/openapi.json`)).text()).toContain('"operationId":"functions.Add"');
    expect(await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toContain('functions.DivMod');
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it(proves('build.every-wire', 'is an MCP server on stdio'), async () => {
    const client = new Client({ name: 'built', version: '1' });
    const args = [await alone(kind), 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const result = await client.callTool({ name: 'functions.Add', arguments: { x: 1, y: 2 } });
    expect(result).toMatchObject({ content: [{ text: '{"result":3}' }] });
    await client.close();
  });

  it(proves('build.every-wire', 'is a module that exports the app'), async () => {
    const file = pathToFileURL(await alone(kind)).href;
    const { default: calculator } = (await import(/* @vite-ignore */ file)) as { default: App };
    expect(await calculator.call('Add', { x: 1, y: 2 })).toEqual({ ok: true, data: 3 });
  });

  it(proves('build.lean', 'loads only what a CGI request needs'), async () => {
    const file = await alone(kind);
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
    const file = await alone(kind);
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
    const file = await alone(kind);
    truncateSync(file, statSync(file).size - 1000);
    const { stdout, code } = await run([file, 'add', '--x', '1', '--y', '2']);
    expect([stdout, code === 0]).toEqual(['', false]);
  });
});

describe('the command from source', () => {
  it(proves('build.lean', 'loads only what it needs, too'), async () => {
    const answer = (env: Record<string, string>) => runCgi(fromSource('calculator'), { ...request, ...env }, sum);
    await answer({}); // compiles it
    const loaded = await loadedBy(answer);
    expect(loaded.filter((url) => /\/(?:jiti|oxc-transform|es-module-lexer|typescript)\//.test(url))).toEqual([]);
    expect(loaded.filter((url) => /modelcontextprotocol|wires\/openapi|rolldown|clack|hosts\/node/.test(url))).toEqual(
      [],
    );
  });
});

describe('what can be built', () => {
  const build = (folder: string, module: string, ...flags: string[]) =>
    run([EVERYWIRE, 'build', join(folder, module), ...flags]);

  it.each([
    ['TypeScript with an enum', app('Tone.Loud', "enum Tone { Loud = 'LOUD' }")],
    ['top-level await', app('greeting', 'const greeting: string = await Promise.resolve("LOUD");')],
    [
      'its own address',
      app("readFileSync(new URL('said.txt', import.meta.url), 'utf8')", "import { readFileSync } from 'node:fs';"),
    ],
    ['what ends a comment', app("['*/', /L*/.exec('LOUD')?.input].at(1) as string", '/** a comment */')],
    ['a module of Node that is imported late', app("import('node:path').then(({ basename }) => basename('/x/LOUD'))")],
    [
      'a package that may not be there',
      app(
        "(() => { try { return require('no-such-package') && 'there'; } catch { return 'LOUD'; } })()",
        "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      ),
    ],
    [
      'code that relies on being strict',
      app(
        "(() => { try { (Object.freeze({ a: 1 }) as { a: number }).a = 2; return 'quiet'; } catch { return 'LOUD'; } })()",
      ),
    ],
    [
      'a file that is imported by a name made late',
      app("import(['./', 'late', '.mjs'].join('')).then(({ said }) => said)"),
    ],
    ['letters of the world', app("'ĹÖÜÐ🔊'.replace(/.+/u, 'LOUD')")],
    [
      'letters that show how they were written',
      app(
        "[String.raw`\\é` === '\\\\é', /[é…]/u.source === '[é…]', `\\é\\\\é` === 'é\\\\é'].every(Boolean) ? 'LOUD' : 'wrong'",
      ),
    ],
  ])(proves('build.sources', '%s'), async (_title, source) => {
    const folder = project({ 'app.ts': source, 'said.txt': 'LOUD', 'late.mjs': "export const said = 'LOUD';" });
    const { stdout, stderr, code } = await build(folder, 'app.ts');
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toMatch(/^Sayer v1\.0\.0 is in .*app\.built\.mjs \(\d+ KiB\)\n$/);
    expect((await run([join(folder, 'app.built.mjs'), 'say'])).stdout).toBe('{"result":"LOUD"}');
  });

  it(proves('build.sources', 'nothing without the bundler, with a clear message'), async () => {
    const folder = project({ 'app.mjs': app("'LOUD'") });
    // The published package, without the optional peers.
    unlinkSync(join(folder, 'node_modules'));
    const home = join(folder, 'node_modules/everywire');
    for (const part of ['dist', 'package.json']) cpSync(part, join(home, part), { recursive: true });
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
    for (const name of Object.keys(dependencies)) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
    }
    const { stderr, code } = await run([join(home, 'dist/bin/everywire.js'), 'build', join(folder, 'app.mjs')]);
    expect(stderr).toBe('error: build needs rolldown, which is not installed: npm install --save-dev rolldown\n');
    expect(code).toBe(1);
  });

  it(proves('build.sources', 'everything else fails with a clear message, and leaves no file'), async () => {
    const folder = project({
      'nothing.ts': 'export const x = 1;',
      'app.mjs': app("'x'"),
      'lost.ts': app("import('./lost-and-gone.ts')"),
      'waits.ts': app("'x'", 'await Promise.resolve();'),
    });
    mkdirSync(join(folder, 'taken'));
    const errorOf = async (...args: [string, ...string[]]) => {
      const { stderr, code } = await build(folder, ...args);
      expect(code).toBe(1);
      expect(stderr).not.toMatch(/^ +at /m);
      return stderr;
    };
    expect(await errorOf('missing.ts')).toContain('No such module');
    expect(await errorOf('nothing.ts')).toContain('exports no app');
    expect(await errorOf('app.mjs', '--out', join(folder, 'app.mjs'))).toContain('would be overwritten');
    copyFileSync(await builtApp('calculator'), join(folder, 'taken/built.mjs'));
    expect(await errorOf('taken/built.mjs')).toContain('is a build already');
    expect(await errorOf('app.mjs', '--out', join(folder, 'taken'))).toContain('cannot be written');
    expect(await errorOf('lost.ts')).toContain("Could not resolve './lost-and-gone.ts'");
    expect(await errorOf('waits.ts', '--out', join(folder, 'waits.cjs'))).toContain('uses top-level await');
    expect(readdirSync(folder).toSorted()).toEqual([
      'app.mjs',
      'lost.ts',
      'node_modules',
      'nothing.ts',
      'taken',
      'waits.ts',
    ]);
  });
});

describe('a prepared build', () => {
  const source = (text: string) => app('word', `import { word } from './word.ts'; // ${text}`);
  const word = (text: string) => `export const word: string = '${text}';\n`;

  /** The result of a call, and whether the module itself was run for it. */
  async function call(folder: string, name = 'app.ts') {
    let ran = { stdout: '', stderr: '' };
    const loaded = await loadedBy(async (env) => {
      ran = await run([EVERYWIRE, 'call', join(folder, name), 'Say'], undefined, env);
    });
    return { ...ran, fromSource: loaded.some((url) => url.endsWith(`/${name}`)) };
  }

  const SOURCE = { fromSource: true } as const;
  const BUILD = { fromSource: false } as const;

  const files = { 'app.ts': source('a'), 'word.ts': word('first'), 'other.ts': 'export const x = 1;' };

  async function prepared(texts: Record<string, string> = files) {
    const folder = project(texts);
    // A whole second, which utimes can restore exactly.
    for (const name of Object.keys(texts)) utimesSync(join(folder, name), 1e9, 1e9);
    const module = join(folder, 'app.ts');
    await run([EVERYWIRE, 'build', module]);
    return { folder, module, built: join(folder, 'app.built.mjs') };
  }

  /** Another content of the same length, with the old modification time. */
  function editUnseen(file: string, text: string): void {
    const { size } = statSync(file);
    writeFileSync(file, text);
    utimesSync(file, 1e9, 1e9);
    expect([statSync(file).size, statSync(file).mtimeMs]).toEqual([size, 1e12]);
  }

  it(proves('build.prepared', 'avoids the compiler while it is fresh'), async () => {
    const folder = project({ 'app.ts': source('a'), 'word.ts': word('first') });
    expect(await call(folder)).toMatchObject({ stdout: '{"result":"first"}', ...SOURCE });
    await run([EVERYWIRE, 'build', join(folder, 'app.ts')]);
    expect(await call(folder)).toMatchObject({ stdout: '{"result":"first"}', ...BUILD });
  });

  it.each([
    ['the module', 'app.ts', app("'other'")],
    ['what it imports', 'word.ts', word('other')],
  ])(
    proves('build.prepared', 'is not used after an edit of %s that keeps size and time'),
    async (_title, name, text) => {
      const { folder } = await prepared({ ...files, [name]: text.replace('other', 'first') });
      expect(await call(folder)).toMatchObject({ stdout: '{"result":"first"}', ...BUILD });
      editUnseen(join(folder, name), text);
      expect(await call(folder)).toMatchObject({ stdout: '{"result":"other"}', ...SOURCE });
    },
  );

  it(proves('build.prepared', 'is not used if an older file replaces the module'), async () => {
    const { folder, module } = await prepared();
    writeFileSync(module, app("'older'"));
    utimesSync(module, new Date(0), new Date(0));
    expect(await call(folder)).toMatchObject({ stdout: '{"result":"older"}', ...SOURCE });
  });

  it(proves('build.prepared', 'is not used if somebody else put it there'), async () => {
    const { folder, built } = await prepared();
    const [line, mark, ...code] = readFileSync(built, 'latin1').split('\n');
    const planted = "export default { planted: true }; console.error('PLANTED');";
    const inputs = [[join(folder, 'app.ts'), `${statSync(join(folder, 'app.ts')).size}`]];
    const stamps = [
      mark,
      '// everywire build',
      `${mark} {"module":"app.ts","inputs":[]}`,
      `// everywire build {"module":"app.ts","maker":"0.1.0","inputs":${JSON.stringify(inputs)}}`,
    ];
    for (const forged of stamps) {
      editUnseen(built, [line, forged, planted].join('\n').padEnd(statSync(built).size, '\n'));
      expect(await call(folder)).toMatchObject({ stdout: '{"result":"first"}', stderr: '', ...SOURCE });
    }
    // Not even identical bytes that were copied there; nor a build of another module.
    writeFileSync(built, [line, mark, ...code].join('\n'), 'latin1');
    expect(await call(folder)).toMatchObject(SOURCE);
    copyFileSync(built, join(folder, 'other.built.mjs'));
    expect((await call(folder, 'other.ts')).stderr).toContain('exports no app');
  });

  it(proves('build.prepared', 'is used only by the user who made it'), async () => {
    const { folder } = await prepared();
    const other = { XDG_CACHE_HOME: temporaryFolder('other') };
    const { stdout } = await run([EVERYWIRE, 'call', join(folder, 'app.ts'), 'Say'], undefined, other);
    expect(stdout).toBe('{"result":"first"}');
    expect(await call(folder)).toMatchObject(BUILD);
  });
});

describe('writing a file', () => {
  it(
    proves('build.one-file', 'does not follow links at the temporary name, and leaves no temporary file'),
    async () => {
      const folder = project({ 'app.mjs': app("'LOUD'") });
      const [victim, out] = [join(folder, 'victim'), join(folder, 'out')];
      writeFileSync(victim, 'untouched');
      mkdirSync(out);
      // An attacker would have to guess the process id; here, all the next ones are taken.
      for (let pid = process.pid; pid < process.pid + 3000; pid++)
        symlinkSync(victim, join(out, `app.mjs.${pid % 4_194_304}.tmp`));
      const { code } = await run([EVERYWIRE, 'build', join(folder, 'app.mjs'), '--out', join(out, 'app.mjs')]);
      expect([code, readFileSync(victim, 'utf8')]).toEqual([0, 'untouched']);
      expect(readdirSync(out).filter((name) => !/\.\d+\.tmp$/.test(name))).toEqual(['app.mjs']);
    },
  );
});
