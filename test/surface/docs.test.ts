import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { defaultLimits } from 'everywire';
import { profileNames } from 'everywire/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modules } from '../every-wire.ts';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

const exec = promisify(execFile);
const read = (file: string) => readFileSync(file, 'utf8');
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  ...readdirSync('docs')
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

const blocks = (file: string, language: string): string[] =>
  [...read(file).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

interface Step {
  readonly command: string;
  readonly output: string;
}

/** A transcript: a line that starts with `$` is a command, what follows is its output. */
function stepsOf(transcript: string): Step[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

/** A reader's folder: the examples, everywire and zod installed, and the files that the README says to save. */
let folder: string;
/** Servers by the host that the docs name. */
const servers = new Map<string, Served>();

beforeAll(async () => {
  // In test/, whose node_modules has the frameworks that the docs import.
  folder = await mkdtemp(join(resolve('test'), '.cache-docs-'));
  for (const name of ['examples', 'node_modules']) await symlink(resolve(name), join(folder, name));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npx'), NPX, { mode: 0o755 });
  const saved = ['README.md', 'docs/apps.md', 'docs/modules.md']
    .flatMap((page) => blocks(page, 'ts'))
    .filter((source) => source.startsWith('// '));
  const save = async (name: string) => {
    const source = saved.find((text) => text.startsWith(`// ${name}\n`)) ?? '';
    await writeFile(join(folder, name), withRealHosts(source));
  };
  const names = ['math.ts', 'greeter.ts', 'shop.ts', 'total.ts', 'notes.ts', 'sort.ts', 'mixed.ts'];
  for (const name of names) await save(name);
  // The address that `serve` prints. First, since others may be replaced by it.
  servers.set('127.0.0.1:8080', await startServing(join(folder, 'math.ts')));
  servers.set('localhost:8080', await serveAt('8080', modules.calculator));
  servers.set('localhost:8081', await serveAt('8081', join(folder, 'greeter.ts')));
  servers.set('localhost:8083', await serveAt('8083', 'examples/streaming/app.ts'));
  servers.set('localhost:8084', await serveAt('8084', 'examples/files/app.ts'));
  servers.set('localhost:8085', await serveAt('8085', 'examples/access/app.ts'));
  servers.set('localhost:8086', await serveAt('8086', 'examples/tasks/app.ts'));
  await save('caller.ts');
});
afterAll(async () => {
  await exec('rm', ['-r', folder]);
  await Promise.all([...servers.values()].map((server) => server.stop()));
});

async function serveAt(port: string, module: string): Promise<Served> {
  return startServing(module, '--port', port).catch(() => {
    console.warn(`Port ${port} is taken: the README is run with another port than it says.`);
    return startServing(module);
  });
}

function withRealHosts(text: string): string {
  let real = text;
  for (const [host, { url }] of servers) real = real.replaceAll(host, new URL(url).host);
  return real;
}

/**
 * Starts what is in node_modules/.bin, as npx does, without npm, which takes longer than most of the commands. The real npx
 * is used by the last test with code of the docs, and by installed.test.ts.
 */
const NPX = '#!/bin/sh\nprogram=$1\nshift\nexec "./node_modules/.bin/$program" "$@"\n';

async function type(command: string, path = `${folder}/bin:${process.env['PATH']}`): Promise<string> {
  const run = exec('bash', ['-c', withRealHosts(command)], { cwd: folder, env: { ...process.env, PATH: path } });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout.replaceAll('\r\n', '\n').trimEnd();
}

describe.concurrent('transcripts, as written', () => {
  const transcribed = [
    'README.md',
    'docs/apps.md',
    'docs/command-line.md',
    'docs/configuration.md',
    'docs/init.md',
    'docs/deploy-cgi.md',
    'docs/cors.md',
    'docs/http.md',
    'docs/modules.md',
    'docs/responses.md',
    'docs/client.md',
    'docs/streaming.md',
    'docs/tasks.md',
    'docs/proof.md',
    'docs/uploads.md',
  ];
  for (const page of transcribed) {
    for (const { command, output } of blocks(page, 'console').flatMap(stepsOf)) {
      if (command.includes('localhost:8082')) continue; // by http-docs.test.ts
      it(`${page}: ${command}`, async () => expect(await type(command)).toBe(output));
    }
  }
});

it.each(['apache', 'lighttpd', 'nginx'])(
  proves('cgi.deployed', 'docs/deploy-cgi.md shows the file that is run for %s'),
  (name) => {
    expect(blocks('docs/deploy-cgi.md', name)).toEqual([read(`examples/cgi/${name}.conf`)]);
  },
);

it('code in the docs compiles, and its apps are served', async () => {
  const sources = pages.flatMap((page) => blocks(page, 'ts'));
  const files = await Promise.all(
    sources.map(async (source, i) => {
      const file = join(folder, `block${i}.ts`);
      await writeFile(file, source);
      return file;
    }),
  );
  expect(files.length).toBeGreaterThanOrEqual(10);
  await exec('node_modules/.bin/tsc', [
    '--ignoreConfig',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    ...files,
  ]);
  const area = sources.findIndex((source) => source.includes("name: 'Area'"));
  expect(await type(`npx everywire call block${area}.ts Area --width 2 --height 3`, process.env['PATH'])).toBe(
    '{"result":6}',
  );
});

it('links lead somewhere', () => {
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(page, '..', target)), `${page} → ${target}`).toBe(true);
    }
  }
});

it(proves('failure.codes', 'docs/codes.md is the table of the code'), async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-codes.mjs']);
  expect(read('docs/codes.md')).toBe(stdout);
});

it(proves('response.rules', 'docs/rules.md is the table of the code'), async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-rules.mjs']);
  expect(read('docs/rules.md')).toBe(stdout);
});

it('docs/reliability.md has the figures that the tests reported', async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-reliability.mjs', '--print']);
  expect(read('docs/reliability.md')).toBe(stdout);
});

it(proves('profile.bodies', 'docs/responses.md shows the real bodies of every profile'), async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-responses.mjs']);
  expect(read('docs/responses.md')).toBe(stdout);
  for (const name of profileNames) expect(stdout).toContain(`<b>${name}</b>`);
});

it('docs/limits.md has the defaults of the code', () => {
  const rows = [...read('docs/limits.md').matchAll(/^\| `(\w+)`\s+\| (\d+)\s+\|/gm)];
  expect(Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]))).toEqual({ ...defaultLimits });
});

it('README.md and CONTRIBUTING.md name every Debian package that `npm test` installs', () => {
  const [, list = ''] = /\[\s*('zsh'[^\]]*)\]/.exec(read('scripts/debian-packages.mjs')) ?? [];
  const packages = [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
  expect(packages.length).toBeGreaterThan(5);
  for (const page of ['README.md', 'CONTRIBUTING.md']) {
    for (const name of packages) expect(read(page), page).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

it('README.md has the ratios of bench/RESULTS.md', () => {
  const rows = read('README.md').match(/^\| .*hand-written server = 1 \|.*$/gm) ?? [];
  const ratios = rows.join().match(/\d+\.\d\d/g) ?? [];
  expect(ratios.length).toBeGreaterThan(5);
  for (const ratio of ratios) expect(read('bench/RESULTS.md')).toContain(` ${ratio} |`);
});

it('the changelog knows the version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('CHANGELOG.md')).toContain(`## ${version}`);
});
