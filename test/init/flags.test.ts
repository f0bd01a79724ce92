import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from 'everywire';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDockerfile } from '../dockerfile/parse.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { command } from '../kit/command.ts';
import { filesIn, filesOf, init, jsonIn } from './create.ts';

const CI = ['.github/workflows/test.yml'];
const DOCKER = ['.dockerignore', 'Dockerfile'];

const FILES: Readonly<Record<string, string>> = {
  'claude-code': '.mcp.json',
  vscode: '.vscode/mcp.json',
  cursor: '.cursor/mcp.json',
};

/** Every choice, with the files that it adds. */
const choices: readonly (readonly [flags: readonly string[], adds: readonly string[]])[] = [true, false].flatMap((ci) =>
  [true, false].flatMap((docker) =>
    [[], ['claude-code'], ['vscode', 'cursor'], ['cursor', 'cursor']].map(
      (clients) =>
        [
          [...(ci ? [] : ['--no-ci']), ...(docker ? ['--docker'] : []), ...clients.flatMap((name) => ['--mcp', name])],
          [...(ci ? CI : []), ...(docker ? DOCKER : []), ...clients.map((name) => FILES[name]!)],
        ] as const,
    ),
  ),
);

describe.concurrent('flags', () => {
  it.each(choices)(proves('init.flags', '%j add exactly their files'), async (flags, adds) => {
    const folder = temporaryFolder('init');
    const { stdout, stderr, code } = await init(folder, 'sums', ...flags);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const files = [...new Set([...filesOf('sums'), ...adds])].toSorted();
    expect(filesIn(join(folder, 'sums'))).toEqual(files);
    const [, listed = ''] =
      /^Created sums:\n((?: {2}.+\n)+)\nNext:\n {2}cd sums\n {2}npm install\n {2}npm run dev\n\n/.exec(stdout)!;
    expect(listed.trim().split(/\s+/).toSorted()).toEqual(files);
    const readme = readFileSync(join(folder, 'sums/README.md'), 'utf8');
    expect(readme.includes('docker build')).toBe(flags.includes('--docker'));
    expect(readme.includes('GitHub')).toBe(!flags.includes('--no-ci'));
    // Every file that the README names exists.
    for (const [, file = ''] of readme.matchAll(/`([\w./]+\.(?:json|ts|yml))`/g))
      if (file !== 'package-lock.json') expect(files).toContain(file);
  });

  it(proves('init.flags', 'without any: the folder names the package, which needs this version'), async () => {
    const folder = temporaryFolder('init');
    await init(folder, 'deep/er/Sums & Söhne');
    expect(jsonIn(folder, 'deep/er/Sums & Söhne/package.json')).toMatchObject({
      name: 'sums-sohne',
      private: true,
      dependencies: { everywire: `^${version}` },
      scripts: { dev: 'everywire dev src/sums-sohne.ts', start: 'everywire serve src/sums-sohne.ts' },
    });
  });

  it(proves('init.flags', 'without a folder: the current one, next to what does no harm'), async () => {
    const folder = join(temporaryFolder('init'), '測試 它');
    mkdirSync(join(folder, '.git'), { recursive: true });
    writeFileSync(join(folder, 'LICENSE'), 'MIT');
    const { stdout, code } = await init(folder, '--yes', '--name', '@me/sums.v2', '--mcp', 'claude-code', '--docker');
    expect(code).toBe(0);
    expect(stdout).toContain('Created @me/sums.v2:\n');
    expect(stdout).toContain('\nNext:\n  npm install\n  npm test\n  npm run dev\n\n');
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe('MIT');
    expect(jsonIn(folder, 'package.json').name).toBe('@me/sums.v2');
    expect(Object.keys(jsonIn(folder, '.mcp.json').mcpServers)).toEqual(['sums-v2']);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('docker build --tag sums-v2 .');
  });

  it.each([
    ['with spaces', "cd 'with spaces'", 'with-spaces'],
    ["it's", "cd 'it'\\''s'", 'it-s'],
    ['$(id)', "cd '$(id)'", 'id'],
    ['日本', "cd '日本'", 'my-functions'],
    ['-x', 'cd ./-x', 'x'],
  ])(proves('init.flags', 'the folder %j can be typed as it is printed'), async (name, line, file) => {
    const folder = temporaryFolder('init');
    const { stdout } = await init(folder, '--', name);
    expect(stdout).toContain(`  ${line}\n`);
    expect(filesIn(join(folder, name))).toEqual([...filesOf(file), ...CI].toSorted());
  });

  it(proves('init.flags', 'are also set by environment variables'), async () => {
    const folder = temporaryFolder('init');
    const env = { EVERYWIRE_INIT_NO_CI: '1', EVERYWIRE_INIT_DOCKER: 'true', EVERYWIRE_INIT_MCP: '["vscode","cursor"]' };
    expect(await command(['init', 'x'], { env, cwd: folder })).toMatchObject({ code: 0, stderr: '' });
    expect(filesIn(join(folder, 'x'))).toEqual(
      [...filesOf('x'), ...DOCKER, '.vscode/mcp.json', '.cursor/mcp.json'].toSorted(),
    );
  });

  it(proves('init.flags', '--everywire: a version as it is, a file as the project sees it'), async () => {
    const folder = temporaryFolder('init');
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'linked'));
    writeFileSync(join(folder, 'e w.tgz'), '');
    const specs = {
      '0.1.0-beta.1': '0.1.0-beta.1',
      'e w.tgz': 'file:../../e w.tgz',
      'file:./e w.tgz': 'file:../../e w.tgz',
    };
    for (const [i, [typed, written]] of Object.entries(specs).entries()) {
      expect((await init(folder, `linked/${i}`, '--everywire', typed)).code).toBe(0);
      expect(jsonIn(folder, `real/${i}/package.json`).dependencies.everywire).toBe(written);
    }
    expect((await init(folder, 'boxed', '--docker', '--everywire', 'e w.tgz')).stderr).toBe(
      'warning: docker cannot reach ../e w.tgz; copy it into the project and install it from there\n',
    );
    const missing = await init(folder, 'x', '--everywire', './none.tgz');
    expect(missing).toMatchObject({ code: 1, stderr: `error: --everywire: there is no ${folder}/none.tgz\n` });
  });
});

describe('files that other programs read', () => {
  it(proves('init.flags', 'are what these programs expect'), async () => {
    const folder = temporaryFolder('init');
    await init(folder, '--docker', ...Object.keys(FILES).flatMap((name) => ['--mcp', name]), '--name', 'sums');
    const { jobs } = parse(readFileSync(join(folder, CI[0]!), 'utf8')) as {
      jobs: { test: { steps: { run?: string }[] } };
    };
    const scripts = Object.keys(jsonIn(folder, 'package.json').scripts);
    const steps = jobs.test.steps.flatMap((step) => step.run ?? []);
    expect(steps).toEqual(['npm ci', 'npm run check', 'npm test', 'npm run build']);
    expect(scripts).toEqual(['dev', 'start', 'test', 'check', 'build']);
    expect(parseDockerfile(readFileSync(join(folder, 'Dockerfile'), 'utf8')).stages).toHaveLength(2);
    for (const [file, key, place] of [
      ['.mcp.json', 'mcpServers', '.'],
      ['.vscode/mcp.json', 'servers', '${workspaceFolder}'],
      ['.cursor/mcp.json', 'mcpServers', '${workspaceFolder}'],
    ] as const)
      expect(jsonIn(folder, file)[key].sums).toMatchObject({
        command: 'node',
        args: expect.arrayContaining([
          `${place}/node_modules/everywire/dist/bin/everywire.js`,
          'mcp',
          `${place}/src/sums.ts`,
        ]),
      });
  });

  it(proves('init.flags', 'Dockerfile and .dockerignore are those of everywire containerize'), async () => {
    const folder = temporaryFolder('init');
    await init(folder, '--docker', '--name', 'sums');
    const read = () => DOCKER.map((file) => readFileSync(join(folder, file), 'utf8'));
    const created = read();
    // As if it were installed.
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const packages = { 'node_modules/everywire': {}, 'node_modules/rolldown': {}, 'node_modules/typescript': {} };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    const args = ['containerize', 'src/sums.ts', '--dockerfile-only'];
    expect((await command(args, { cwd: folder })).stderr).toContain('Wrote Dockerfile');
    expect(read()).toEqual(created);
  });

  it('packages have the versions that everywire is tested with', async () => {
    const folder = temporaryFolder('init');
    await init(folder);
    const own = jsonIn('package.json');
    for (const [name, range] of Object.entries<string>(jsonIn(folder, 'package.json').devDependencies))
      expect(range, name).toBe(`^${own.devDependencies[name] ?? own.dependencies[name]}`);
  });
});
