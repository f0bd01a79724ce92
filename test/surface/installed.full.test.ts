import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

// The package as npm would publish it, installed in an empty folder. What the README says is done there.

const exec = promisify(execFile);

let folder: string;
let home: string;
let isInstalled = false;

beforeAll(async () => {
  folder = temporaryFolder('installed');
  home = join(folder, 'node_modules/everywire');
  await exec('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  const [tarball = ''] = readdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const packages = [`./${tarball}`, `zod@${devDependencies['zod']}`];
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  try {
    await exec('npm', ['install', ...options, ...packages], { cwd: folder });
    isInstalled = true;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.warn(`NOT TESTED: the package could not be installed: ${(error as Error).message}`);
  }
  for (const [, name = '', source = ''] of readFileSync('README.md', 'utf8').matchAll(
    /^```ts\n\/\/ (\S+)\n([^]*?)^```/gm,
  ))
    writeFileSync(join(folder, name), source);
}, 300_000);

async function type(command: string): Promise<string> {
  const { stdout } = await exec('bash', ['-c', command], { cwd: folder }).catch((error: { stdout: string }) => error);
  return stdout.trimEnd();
}

describe('installed from the tarball', () => {
  it(proves('package.installed', 'the first function of the README is called and compiled'), async ({ skip }) => {
    if (!isInstalled) skip();
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['greeter.ts', 'caller.ts']));
    expect(await type('npx --no everywire call greeter.ts Greet --name Ada --loudly')).toBe('{"result":"HELLO, ADA!"}');
    expect(
      await type('REQUEST_METHOD=POST PATH_INFO=/Greet npx --no everywire cgi greeter.ts <<< \'{"name":"Ada"}\''),
    ).toMatch(/^Status: 200 OK\r\n[^]*\{"result":"Hello, Ada!"\}$/);
    expect(await type('npx --no everywire openapi greeter.ts | grep operationId')).toContain('"functions.Greet"');
    const tsc = resolve('node_modules/.bin/tsc');
    const flags =
      '--ignoreConfig --noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions --types node';
    expect(await type(`${tsc} ${flags} --typeRoots ${resolve('node_modules/@types')} greeter.ts caller.ts`)).toBe('');
  });

  it(proves('package.sources', 'a stack trace leads to a line of the sources'), async ({ skip }) => {
    if (!isInstalled) skip();
    writeFileSync(join(folder, 'wrong.mjs'), "import { createApp } from 'everywire';\ncreateApp({ functions: [] });\n");
    const [, file = '', line = '0'] =
      /\((?:file:\/\/)?(\/\S+\.ts):(\d+):\d+\)/.exec(await type('node --enable-source-maps wrong.mjs 2>&1')) ?? [];
    expect(relative(home, file)).toBe('src/app/read-options.ts');
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('throw new AppError(name, problems)');
    expect(await type('node wrong.mjs 2>&1')).not.toContain('/src/');
  });

  it(proves('package.sources', 'every source map leads to files that are there'), ({ skip }) => {
    if (!isInstalled) skip();
    const maps = readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js.map'),
    );
    expect(maps.length).toBeGreaterThan(20);
    for (const map of maps.map((name) => join(home, 'dist', name))) {
      const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
      for (const source of sources) expect(existsSync(join(dirname(map), source)), `${map} → ${source}`).toBe(true);
    }
  });

  it(proves('package.sources', 'the code is readable: no long lines, and with its comments'), ({ skip }) => {
    if (!isInstalled) skip();
    const chunks = readdirSync(join(home, 'dist/chunks')).filter((file) => file.endsWith('.js'));
    const core = readFileSync(
      join(
        home,
        'dist/chunks',
        chunks.find((file) => file.startsWith('core-'))!,
      ),
      'utf8',
    );
    // The last lines list what the chunk exports.
    const longest = core
      .split('\n')
      .filter((text) => !text.startsWith('export'))
      .map(({ length }) => length);
    expect(Math.max(...longest)).toBeLessThan(500);
    expect(core).toContain('/** Lists all problems of an app in one message. */');
    expect(core).not.toContain('.cache');
  });

  it(proves('package.sources', 'links in the README and the docs lead to files of the package'), ({ skip }) => {
    if (!isInstalled) skip();
    const docs = readdirSync(join(home, 'docs')).filter((name) => name.endsWith('.md'));
    const pages = ['README.md', ...docs.map((page) => `docs/${page}`)];
    expect(pages.length).toBeGreaterThan(15);
    for (const page of pages) {
      for (const [, target = ''] of readFileSync(join(home, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g))
        // docs/expectations.md names the test of each row. Tests are in the repository only.
        if (!target.startsWith('../test/'))
          expect(existsSync(join(home, page, '..', target)), `${page} → ${target}`).toBe(true);
    }
  });
});

describe('an old Node.js', () => {
  const OLD = { 'node@18': '18.', 'node@16': '16.' };
  let paths: Record<string, string>;
  beforeAll(async () => {
    const { stdout } = await exec('node', ['scripts/runtimes.mjs', ...Object.keys(OLD)]);
    paths = JSON.parse(stdout) as Record<string, string>;
  }, 300_000);

  for (const [name, version] of Object.entries(OLD)) {
    it(
      proves('package.old-node', `${name}: the command and every entry say which version is needed`),
      async ({ skip }) => {
        const node = paths[name];
        if (node === undefined && process.env['CI'] !== 'true') skip();
        const run = (...args: readonly string[]) =>
          exec(node ?? name, args).catch((error: { code: number; stdout: string; stderr: string }) => error);
        const sentence = `everywire needs Node.js 20.19 or later, not ${version}`;
        const command = await run('dist/bin/everywire.js', 'call', 'examples/calculator/app.ts', 'Add');
        expect(command).toMatchObject({ code: 1, stdout: '' });
        expect(command.stderr).toMatch(new RegExp(`^error: ${sentence}[\\d.]+\\n$`));
        const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
          exports: Record<string, { default?: string }>;
        };
        const entries = Object.entries(exports).flatMap(([entry, { default: file }]) =>
          file ? [entry.replace('.', 'everywire')] : [],
        );
        expect(entries.length).toBeGreaterThan(8);
        const source = entries.map(
          (entry) => `await import('${entry}').then(() => console.log('loaded'), (e) => console.log(e.message));`,
        );
        const { stdout } = await run('--input-type=module', '-e', source.join('\n'));
        expect(stdout.trim().split('\n')).toEqual(entries.map(() => expect.stringMatching(`^${sentence}[\\d.]+$`)));
      },
    );
  }
});
