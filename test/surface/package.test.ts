import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as everywire from 'everywire';
import * as access from 'everywire/access';
import * as client from 'everywire/client';
import * as express from 'everywire/express';
import * as fastify from 'everywire/fastify';
import * as hono from 'everywire/hono';
import * as node from 'everywire/node';
import * as telemetry from 'everywire/opentelemetry';
import * as responses from 'everywire/responses';
import * as testing from 'everywire/testing';
import * as wire from 'everywire/wire';
import { transformSync } from 'oxc-transform';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { expectTooOld, saveReadme } from './installed.ts';

const exec = promisify(execFile);
const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  engines: { node: string };
};

const EXPORTS: readonly (readonly [entry: object, names: string])[] = [
  [
    everywire,
    'AppError Failure auditConsole codes commit createApp createFiles defaultLimits defineFunction definePrompt ' +
      'defineResource defineWith forms isApp memoryFolder version',
  ],
  [node, 'auditFile createServer fromModule hostFolder loadApp run serve toNodeHandler'],
  [access, 'Credentials apiKeys custom introspection jwt'],
  [express, 'checkResponses'],
  [fastify, 'checkResponses'],
  [hono, 'checkResponses'],
  [client, 'createClient'],
  [testing, 'createTestContext'],
  [telemetry, 'observeTasks openTelemetry'],
  [
    responses,
    'Failure ResponseFormatError assertResponse checkResponse createErrorResponse createProfiles createSuccessResponse ' +
      'createToolError createToolResult envelopeContent envelopeSchema failure fromStatus fromThrowable isOutcome map ' +
      'mcpContent profileNames profiles readResponse rules success textOf toEnvelopeContent toMcpContent toStatus unwrap wrapTool',
  ],
  [wire, 'createEnvironment decodeJson refuse wireFactsOf'],
];

it('exports these names and no others', () => {
  for (const [entry, names] of EXPORTS) expect(Object.keys(entry).toSorted().join(' ')).toBe(names);
  expect(everywire.version).toBe(version);
});

describe('the packed package', () => {
  /** Where it is unpacked as if it were installed, with the files of the README. */
  let folder: string;
  let home: string;
  beforeAll(async () => {
    folder = temporaryFolder('unpacked');
    home = join(folder, 'node_modules/everywire');
    await unpackInto(folder, 'zod');
    saveReadme(folder);
  });

  it('has what users need and nothing else, and publint finds nothing wrong with it', async () => {
    const pages = 'ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md';
    expect(readdirSync(home).toSorted().join(' ')).toBe(`${pages} bench dist docs examples package.json src`);
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    expect(files.filter((path) => path.includes('node_modules'))).toEqual([]);
    for (const pkgDir of [home, join(home, '../create-everywire')]) {
      const { messages, pkg } = await publint({ pkgDir, pack: false, level: 'suggestion' });
      expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
    }
  });

  it(proves('package.installed', 'runs the first function of the README, with its dependencies alone'), async () => {
    const call = [join(home, 'dist/bin/everywire.js'), 'call', 'greeter.ts', 'Greet', '--name', 'Ada', '--loudly'];
    const { stdout, stderr } = await run(call, undefined, undefined, folder);
    expect([stdout, stderr]).toEqual(['{"result":"HELLO, ADA!"}', '']);
  });

  it(proves('cli.load', 'a module without functions is refused as such, not for want of a compiler'), async () => {
    writeFileSync(join(folder, 'nothing.ts'), 'export const x: number = 1;');
    const { stderr } = await run([join(home, 'dist/bin/everywire.js'), 'call', 'nothing.ts'], undefined, {}, folder);
    expect(stderr).toBe(
      'error: nothing.ts exports no app; add: export default createApp({ … }), or export a function\n',
    );
  });

  it(proves('package.sources', 'a stack trace leads to a line of the sources'), async () => {
    writeFileSync(join(folder, 'wrong.mjs'), "import { createApp } from 'everywire';\ncreateApp({ functions: [] });\n");
    const { stderr } = await run(['--enable-source-maps', join(folder, 'wrong.mjs')]);
    const [, file = '', line = '0'] = /\((?:file:\/\/)?(\/\S+\.ts):(\d+):\d+\)/.exec(stderr) ?? [];
    expect(relative(home, file)).toBe('src/app/read-options.ts');
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('throw new AppError(name, problems)');
  });

  it(proves('package.sources', 'every source map leads to files that are there'), () => {
    const maps = readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js.map'),
    );
    expect(maps.length).toBeGreaterThan(20);
    for (const map of maps.map((name) => join(home, 'dist', name))) {
      const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
      for (const source of sources) expect(existsSync(join(dirname(map), source)), `${map} → ${source}`).toBe(true);
    }
  });

  it(proves('package.sources', 'the code is readable: no long lines, and with its comments'), () => {
    const chunks = join(home, 'dist/chunks');
    const name = readdirSync(chunks).find((file) => /^core-.*\.js$/.test(file))!;
    const core = readFileSync(join(chunks, name), 'utf8');
    // The last lines list what the chunk exports.
    const lines = core.split('\n').filter((text) => !text.startsWith('export'));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(500);
    expect(core).toContain('/** Lists all problems of an app in one message. */');
    expect(core).not.toContain('.cache');
  });

  it(proves('package.sources', 'links in its pages lead to files of the package'), () => {
    const pages = ['.', 'docs', 'examples'].flatMap((place) =>
      readdirSync(join(home, place)).flatMap((name) => (name.endsWith('.md') ? [join(place, name)] : [])),
    );
    expect(pages.length).toBeGreaterThan(15);
    for (const page of pages) {
      for (const [, target = ''] of readFileSync(join(home, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        // Tests and workflows are in the repository only.
        const root = /^\.\.\/test\/|^\.github\//.test(target) ? '.' : home;
        expect(existsSync(join(root, page, '..', target)), `${page} → ${target}`).toBe(true);
      }
    }
  });
});

it(proves('package.installed', 'npm pack leaves out scripts without their files, and changes nothing'), async () => {
  const { scripts: all, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const scripted = { ...manifest, files: ['dist'], scripts: { ...all, build: 'mkdir -p dist && touch dist/built' } };
  const before = JSON.stringify(scripted);
  const script = readFileSync('scripts/packed-manifest.mjs', 'utf8');
  const folder = temporaryFolder('packing', { 'package.json': before, 'scripts/packed-manifest.mjs': script });
  await exec('npm', ['pack', '--loglevel=error'], { cwd: folder });
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(before);
  const { stdout } = await exec('tar', ['-xzOf', `everywire-${version}.tgz`, 'package/package.json'], {
    cwd: folder,
  });
  expect(JSON.parse(stdout)).toEqual({ ...manifest, files: ['dist'] });
  const { stdout: files } = await exec('tar', ['-tzf', `everywire-${version}.tgz`], { cwd: folder });
  expect(files).toContain('package/dist/built');
});

it(
  proves('package.old-node', 'an old Node.js is told which version is needed, by the command and every entry'),
  async () => {
    // Only the number is old. runtimes.full.test.ts has real ones, whose syntax is.
    const number = join(temporaryFolder('old-node'), 'number.cjs');
    writeFileSync(
      number,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });",
    );
    await expectTooOld((...args) => run(['--require', number, ...args]), '20.18.3');
  },
);

// Tests see the packages of test/ first. A package that src or the unit tests use, too, must not be another one there.
it('a package of the root has the same version in test/', () => {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, any>>;
  const { dependencies, devDependencies } = read('package.json');
  const root = read('package-lock.json')['packages']!;
  const tests = read('test/package-lock.json')['packages']!;
  const others = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    const path = `node_modules/${name}`;
    return tests[path] && tests[path].version !== root[path]?.version;
  });
  // Of a tool that generates clients; the tests run ours by its path.
  expect(others).toEqual(['typescript']);
});

it.each(['.', 'bench', 'examples/shop', 'test', 'test/conformance', 'test/embedding'])(
  'the lock in %s names no registry',
  (folder) => {
    expect(readFileSync(`${folder}/package-lock.json`, 'utf8')).not.toMatch(/"resolved": "https?:/);
  },
);

// What needs no other runtime than the one at hand. runtimes.full.test.ts runs the command on all of them, and
// `npm run test:matrix` all tests on every version of Node.

/** The oldest version that package.json and the command accept. */
const OLDEST = '20.19';
const scripts = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js') && !file.startsWith('console'))
  .map((file) => join('dist', file));
const changed = (name: string, text: string) => {
  const [oldest, newest] = [`node${OLDEST}`, 'esnext'].map((target) =>
    transformSync(name, text, { lang: 'js', sourceType: 'module', target }),
  );
  return oldest!.code !== newest!.code || oldest!.errors.length > 0;
};

it(proves('runtimes', 'the package has no syntax that its oldest Node.js cannot read'), () => {
  expect(engines.node).toBe(`>=${OLDEST}`);
  expect(scripts.length).toBeGreaterThan(50);
  expect(scripts.filter((file) => changed(file, readFileSync(file, 'utf8')))).toEqual([]);
  expect(changed('newer.js', 'function f() { using file = open(); }')).toBe(true);
});

it(proves('runtimes', 'it imports only modules that every supported Node.js has'), () => {
  const added = new Set(['sea', 'sqlite', 'test/reporters', 'quic', 'ffi', 'vfs']); // later than 20.19, or behind a flag there
  const known = new Set(['test', ...builtinModules.filter((name) => !added.has(name))]);
  const imported = scripts.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()["']node:([\w/]+)["']/g)].map(([, name = '']) => name),
  );
  expect(imported.length).toBeGreaterThan(50);
  expect([...new Set(imported)].filter((name) => !known.has(name))).toEqual([]);
});

it(proves('runtimes', 'the command runs on this one, and on those that are installed already'), async () => {
  const wanted = ['node@20', 'node@22', 'node@24', 'node@26', 'bun@1', 'deno@2'];
  const { stdout: found } = await exec(process.execPath, ['scripts/runtimes.mjs', '--installed', ...wanted]);
  const programs = { here: process.execPath, ...(JSON.parse(found) as Record<string, string>) };
  const call = ['dist/bin/everywire.js', 'call', 'examples/calculator/app.ts', 'Add', '--x', '1', '--y', '2'];
  for (const [name, program] of Object.entries(programs)) {
    const { stdout } = await exec(program, [...(name === 'deno@2' ? ['run', '-A'] : []), ...call]);
    expect([name, stdout]).toEqual([name, '{"result":3}']);
  }
});
