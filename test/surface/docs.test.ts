import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { defaultLimits } from 'everywire';
import { loadApp, serve, type NodeHost, type ServeOptions } from 'everywire/node';
import { profileNames } from 'everywire/responses';
import { Client } from 'pg';
import type TypeScript from 'typescript-5.9';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../../examples/shop/test/postgres.ts';
import { shared } from '../kit/broker.ts';
import { canCertify } from '../kit/certificates.ts';
import { command } from '../kit/command.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

const exec = promisify(execFile);
const read = (file: string) => readFileSync(file, 'utf8');
const docs = readdirSync('docs')
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file));
const others = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'];
const pages = ['README.md', ...others, ...docs];
/** Other tests run the transcripts of these pages. */
const elsewhere = new Set(['docs/access.md', 'docs/rate-limits.md', 'docs/databases.md']);

const blocks = (file: string, language: string): string[] =>
  [...read(file).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

/** A transcript: a line that starts with `$` is a command, what follows is its output. */
function stepsOf(transcript: string) {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [line = '', ...output] = step.split('\n');
      return { command: line, output: output.join('\n').trimEnd() };
    });
}

/** A reader's folder: the examples, everywire and zod installed, and the files that the docs say to save. */
let folder: string;
/** Servers by the host that the docs name. */
const servers = new Map<string, NodeHost>();

beforeAll(async () => {
  // In test/, whose node_modules has the frameworks that the docs import.
  folder = await mkdtemp(join(resolve('test'), '.cache-docs-'));
  for (const name of ['examples', 'node_modules']) await symlink(resolve(name), join(folder, name));
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npx'), NPX, { mode: 0o755 });
  // Two pages have a notes.ts.
  const saved = pages.filter((page) => page !== 'docs/access.md').flatMap((page) => blocks(page, 'ts'));
  const save = async (name: string) => {
    const source = saved.find((text) => text.startsWith(`// ${name}\n`)) ?? '';
    await writeFile(join(folder, name), withRealHosts(source));
  };
  const names = 'math greeter shop total notes sort stock mixed users accounts shop.test tickets'.split(' ');
  for (const name of names) await save(`${name}.ts`);
  // The address that `serve` prints. First, since others may be replaced by it.
  const examples = ['streaming', 'files', 'access', 'tasks'].map((name) => `examples/${name}/app.ts`);
  await serveAt('127.0.0.1:8080', 'math.ts');
  for (const [i, module] of ['examples/calculator/app.ts', 'greeter.ts', 'users.ts', ...examples].entries())
    await serveAt(`localhost:${8080 + i}`, module);
  if (canCertify) {
    const [makeCertificate = '', serveApp = ''] = blocks('docs/serving.md', 'sh');
    await type(makeCertificate);
    const [, module = '', cert = '', key = ''] =
      /^npx everywire serve (\S+) --port 8443 --tls-cert (\S+) --tls-key (\S+)\n$/.exec(serveApp) ?? [];
    await serveAt('localhost:8443', module, { tls: { cert: join(folder, cert), key: join(folder, key) } });
  }
  await save('caller.ts');
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.drain()));
  await exec('rm', ['-r', folder]);
});

async function serveAt(host: string, module: string, options: ServeOptions = {}): Promise<void> {
  servers.set(host, await serve(await loadApp(join(folder, module)), { port: 0, ...options }));
}

function withRealHosts(text: string): string {
  let real = text;
  for (const [host, { url }] of servers) {
    // A certificate is for a name.
    const name = host.endsWith(':8443') ? `localhost:${new URL(url).port}` : new URL(url).host;
    real = real.replaceAll(host, name);
  }
  return real;
}

/**
 * Starts what is in node_modules/.bin, as npx does, without npm, which takes longer than most of the commands. The real npx
 * is used by runtimes.full.test.ts.
 */
const NPX = '#!/bin/sh\nprogram=$1\nshift\nexec "./node_modules/.bin/$program" "$@"\n';

/** A command of ours alone, perhaps with variables and input, that needs no shell: it runs in this process. */
const ALONE =
  /^(?:(?<print>printf|echo) '(?<input>[^']*)' \| )?(?<env>(?:\w+=\S+ )*)npx everywire (?<words>(?:'[^']*'|[^'"|&;<>$*])+?)(?: 2>\/dev\/null| <\/dev\/null)?$/;
const isInProcess = size(1, 0) === 1;

async function type(line: string, variables?: Readonly<Record<string, string>>): Promise<string> {
  const real = withRealHosts(line);
  const { print, input = '', env = '', words = '' } = ALONE.exec(real)?.groups ?? {};
  // mixed.ts makes Node itself print a warning.
  if (isInProcess && !variables && /^(?:call|cgi|schema|openapi) (?!mixed)/.test(words)) {
    const { stdout } = await command(
      [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!),
      {
        cwd: folder,
        env: Object.fromEntries(env.split(' ').flatMap((one) => (one ? [one.split(/=(.*)/).slice(0, 2)] : []))),
        input: print === 'echo' ? `${input}\n` : input,
      },
    );
    return stdout.replaceAll('\r\n', '\n').trimEnd();
  }
  const path = `${folder}/bin:${process.env['PATH']}`;
  const run = exec('bash', ['-c', real], { cwd: folder, env: { ...process.env, ...variables, PATH: path } });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout.replaceAll('\r\n', '\n').trimEnd();
}

describe.concurrent('transcripts, as written', () => {
  const proofs = { 'docs/http.md': 'http.get', 'docs/serving.md': 'http.tls' } as const;
  for (const page of ['README.md', ...docs]) {
    const steps = blocks(page, 'console').flatMap(stepsOf);
    if (elsewhere.has(page) || steps.length === 0 || (page === 'docs/serving.md' && !canCertify)) continue;
    for (const step of steps) {
      const title = `${page}: ${step.command}`;
      const proof = proofs[page as keyof typeof proofs];
      it(proof ? proves(proof, title) : title, async () => expect(await type(step.command)).toBe(step.output));
    }
  }
});

it.each(['apache', 'lighttpd', 'nginx'])(proves('cgi.deployed', 'docs/deploy-cgi.md shows the file for %s'), (name) => {
  expect(blocks('docs/deploy-cgi.md', name)).toEqual([read(`examples/cgi/${name}.conf`)]);
});

it('code in the docs compiles, and its apps are served', async () => {
  const sources = pages.flatMap((page) => blocks(page, 'ts'));
  const files = sources.map((_, i) => join(folder, `block${i}.ts`));
  await Promise.all(sources.map((source, i) => writeFile(files[i]!, source)));
  expect(files.length).toBeGreaterThanOrEqual(10);
  const flags =
    '--ignoreConfig --noEmit --allowImportingTsExtensions --strict --skipLibCheck --target es2023 --module nodenext';
  await exec('node_modules/.bin/tsc', [...flags.split(' '), ...files]);
  const area = sources.findIndex((source) => source.includes("name: 'Area'"));
  expect(await type(`npx everywire call block${area}.ts Area --width 2 --height 3`)).toBe('{"result":6}');
});

it.each([
  [proves('failure.codes', 'docs/codes.md is the table of the code'), 'codes'],
  [proves('response.rules', 'docs/rules.md is the table of the code'), 'rules'],
  ['docs/reliability.md has the figures that the tests reported', 'reliability', '--print'],
  [proves('profile.bodies', 'docs/responses.md shows the real bodies of every profile'), 'responses'],
])('%s', async (_title, name, ...flags) => {
  const { stdout } = await exec(process.execPath, [`scripts/document-${name}.mjs`, ...flags]);
  expect(read(`docs/${name}.md`)).toBe(stdout);
  if (name === 'responses') for (const profile of profileNames) expect(stdout).toContain(`<b>${profile}</b>`);
});

it(proves('cli.help', 'serve --help has the options of docs/serving.md'), async () => {
  const { stdout } = await command(['serve', '--help']);
  const options = ['--tls-cert <file>', '--tls-key <file>', '--no-compression', '--workers <number>', '--store <url>'];
  const variables = ['EVERYWIRE_TLS_CERT', 'EVERYWIRE_WORKERS', 'EVERYWIRE_STORE'];
  for (const word of [...options, ...variables]) expect(stdout).toContain(word);
});

it('docs/limits.md has the defaults of the code', () => {
  const rows = [...read('docs/limits.md').matchAll(/^\| `(\w+)`\s+\| (\d+)\s+\|/gm)];
  expect(Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]))).toEqual({ ...defaultLimits });
});

it('CONTRIBUTING.md names every Debian package that the tests install', () => {
  const lists = read('scripts/debian-packages.mjs').matchAll(/^const (?:USUAL|FULL) = (\[[^\]]*\])/gm);
  const packages = [...lists].flatMap(([, list = '']) =>
    [...list.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name),
  );
  expect(packages.length).toBeGreaterThan(10);
  for (const name of packages) expect(read('CONTRIBUTING.md')).toMatch(new RegExp(`\\b${name}\\b`));
});

it('README.md is short, and docs/README.md lists every page once', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(200);
  const listed = [...read('docs/README.md').matchAll(/^(?:\d+\.|-) \[[^\]]+\]\((\S+?\.md)\)/gm)].map(([, page = '']) =>
    join('docs', page),
  );
  const expected = ['README.md', 'bench/RESULTS.md', ...docs.filter((page) => page !== 'docs/README.md')];
  expect(listed.toSorted()).toEqual(expected.toSorted());
});

it.each(docs)('%s says first what it is for, and how the servers that it calls were started', (page) => {
  const text = read(page);
  expect(text).toMatch(/^# .*\n\nAfter this page/);
  const calls = [...blocks(page, 'console'), ...blocks(page, 'ts')]
    .join('')
    .matchAll(/(?:curl|createClient)\b.*?host:(\d+)/g);
  const started = /(?:serve|dev) [^`\n]*--port (\d+)/g;
  const ports = [...text.matchAll(started)].map(([, port]) => port);
  if (/(?:serve|dev) (?![^`\n]*--port)[\w/.]+\.ts|npm run dev/.test(text)) ports.push('8080');
  for (const [call, port] of calls) expect(ports, call).toContain(port);
});

it.each(pages)('%s: links lead to files and headings that exist', (page) => {
  const text = read(page).replaceAll(/^```[^]*?^```/gm, '');
  for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
    const path = target === '' ? page : join(page, '..', target);
    expect(existsSync(path), target).toBe(true);
    if (anchor !== undefined && path.endsWith('.md')) expect(anchorsIn(path), target).toContain(anchor);
  }
});

describe('docs/reference.md', () => {
  const ts = createRequire(import.meta.url)('typescript-5.9') as typeof TypeScript;
  const entries = ['index', 'node', 'client/client'].map((name) => `dist/${name}.d.ts`);
  const module = ts.ModuleKind.NodeNext;
  const program = ts.createProgram(entries, { module, target: ts.ScriptTarget.ES2023, lib: ['lib.esnext.d.ts'] });
  const checker = program.getTypeChecker();
  const exported = new Map(
    entries
      .flatMap((entry) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!))
      .map((one) => [one.name, one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one]),
  );
  const sections = read('docs/reference.md')
    .split(/^#{2,3} .*`(\w+)`$/m)
    .slice(1);
  const tables = sections.flatMap((name, i) => (i % 2 === 0 ? [[name, sections[i + 1]!] as const] : []));

  it('has the types that people use', () => expect(tables.length).toBeGreaterThan(20));

  it.each(tables)('%s: has each member, and says which options are required', (name, section) => {
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported.get(name)!));
    const members = properties.flatMap(({ name: member, flags }) => {
      // Types alone, brands, and what every Error has.
      if (/^~|^__@BRAND|^stack$|^cause$/.test(member)) return [];
      const isRequired = !(flags & ts.SymbolFlags.Optional);
      return [{ member: member.replace(/^__@(\w+)@\d+$/, 'Symbol.$1'), isRequired }];
    });
    const hasDefaults = section.includes('\n| option | default | |\n');
    const rows = [...section.matchAll(/^\| `([\w.]+)` \| (required)?/gm)].map(([, member = '', required]) => ({
      member,
      isRequired: hasDefaults ? required !== undefined : members.find((one) => one.member === member)?.isRequired,
    }));
    const byName = (one: { member: string }, other: { member: string }) => one.member.localeCompare(other.member);
    expect(rows.toSorted(byName)).toEqual(members.toSorted(byName));
  });
});

it.runIf(hasPostgres)('docs/databases.md: transactions', async () => {
  const { url } = await shared('postgres');
  const database = new Client({ connectionString: url });
  await database.connect();
  await database.query(blocks('docs/databases.md', 'sql')[0]!);
  await database.end();
  for (const step of blocks('docs/databases.md', 'console').flatMap(stepsOf))
    expect(await type(step.command, { DATABASE_URL: url }), step.command).toBe(step.output);
});

// Without the packages of bench/, which only the other frameworks need.
it(proves('bench.compare', 'the line counts are those of the code, and the tasks work with everywire'), async () => {
  const compare = (...flags: string[]) => exec(process.execPath, ['compare/run.mjs', ...flags], { cwd: 'bench' });
  await compare('--check');
  expect((await compare('--only', 'everywire')).stderr.match(/^everywire, \w+: works$/gm)).toHaveLength(6);
});

it('the changelog knows the version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('CHANGELOG.md')).toContain(`## ${version}`);
});

// docs/expectations.md: every row leads to a section that exists and to a test that runs.

const expectations = read('docs/expectations.md').split('\n## What there is not')[0]!;
const rows = [...expectations.matchAll(/^\| (?!expected|---)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** The targets of the links in a cell, as paths in the repository. */
const linksIn = (cell = '') =>
  [...cell.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)].map(([, path = '', anchor]) => ({
    path: join('docs', path),
    anchor,
  }));

/** As GitHub makes them of headings. */
const anchorsIn = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('docs/expectations.md has many rows of four cells', () => {
  expect(rows.length).toBeGreaterThan(50);
  for (const row of rows) expect(row, row[0]).toHaveLength(4);
});

it.each(rows)(proves('docs.expectations', '%s: leads to a section and a test'), (_expected, _here, section, tests) => {
  const sections = linksIn(section);
  expect(sections).toHaveLength(1);
  for (const { path, anchor } of sections) {
    expect(existsSync(path), path).toBe(true);
    if (anchor !== undefined) expect(anchorsIn(path), path).toContain(anchor);
  }
  const links = linksIn(tests);
  expect(links.length).toBeGreaterThan(0);
  for (const { path } of links) {
    expect(path).toMatch(/\.test\.ts$|^test\/types\//);
    expect(existsSync(path), path).toBe(true);
  }
});
