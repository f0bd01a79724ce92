import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { version } from 'everywire';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDockerfile } from '../dockerfile/parse.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { command } from '../kit/command.ts';
import { onTerminal } from '../kit/on-terminal.ts';
import { run } from '../wires/cli.ts';
import { everywire, filesIn, filesOf, init, jsonIn } from './create.ts';

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
    const folder = temporaryFolder('init', { 'e w.tgz': '' });
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'linked'));
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

const ELSEWHERE = 'choose another folder, or move them away';

/** What is typed, what is there, and the sentence. */
const refusals: readonly (readonly [args: readonly string[], there: readonly string[], sentence: string])[] = [
  [['--name', 'My App'], [], '"My App" cannot be the name of a package; try my-app'],
  [['--name', ''], [], '"" cannot be the name of a package; try my-functions'],
  [['--name', '@Me/Ünïcode'], [], '"@Me/Ünïcode" cannot be the name of a package; try @me/unicode'],
  [['--name', 'everywire'], [], '"everywire" cannot be the name of a package; try my-everywire'],
  [['--name', 'http'], [], '"http" cannot be the name of a package; try my-http'],
  [['--name', '../up'], [], '"../up" cannot be the name of a package; try up'],
  [['--name', 'a"b\n'], [], String.raw`"a\"b\n" cannot be the name of a package; try a-b`],
  [[], ['notes.txt', 'package.json'], `The current folder is not empty: it has notes.txt, package.json; ${ELSEWHERE}`],
  [
    ['x'],
    ['x/1', 'x/2', 'x/3', 'x/4', 'x/5', 'x/6', 'x/7'],
    `x is not empty: it has 1, 2, 3, 4, 5 and 2 more; ${ELSEWHERE}`,
  ],
  [['x', '--mcp', 'vscode'], ['x/.vscode/mcp.json'], `x is not empty: it has .vscode/mcp.json; ${ELSEWHERE}`],
  [['x'], ['x'], 'x is not a folder'],
  [['x/y'], ['x'], 'x/y is not a folder'],
];

describe.concurrent('refusals', () => {
  it.each(refusals)(proves('init.refusals', '%j, with %j there'), async (args, there, sentence) => {
    const folder = temporaryFolder('init', Object.fromEntries(there.map((file) => [file, 'mine'])));
    const { stdout, stderr, code } = await init(folder, ...args);
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `error: ${sentence}\n`, code: 1 });
    expect(filesIn(folder)).toEqual([...there].toSorted());
    for (const file of there) expect(readFileSync(join(folder, file), 'utf8')).toBe('mine');
  });

  it.each([
    [['--mcp', 'notepad'], 'Allowed choices are claude-code, vscode, cursor.'],
    [['--nam', 'x'], '(Did you mean --name?)'],
    [['a', 'b'], 'too many arguments'],
  ])(proves('init.refusals', '%j is used wrongly'), async (args, sentence) => {
    const folder = temporaryFolder('init');
    const { stdout, stderr, code } = await init(folder, ...args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain(sentence);
    expect(stderr).toContain('See everywire init --help');
    expect(filesIn(folder)).toEqual([]);
  });
});

it.each([
  ['is missing', undefined, 'npm cannot be started (ENOENT)'],
  ['fails', '#!/bin/sh\necho "npm: $PWD $*"\nexit 7\n', 'npm install failed (7)'],
  ['is killed', '#!/bin/sh\nkill -9 $$\n', 'npm install failed (SIGKILL)'],
])(
  proves('init.refusals', 'npm install %s: the project is there, the rest can be done later'),
  async (_what, npm, reason) => {
    const folder = temporaryFolder('init');
    mkdirSync(join(folder, 'bin'));
    if (npm !== undefined) writeFileSync(join(folder, 'bin/npm'), npm, { mode: 0o755 });
    const env = { PATH: join(folder, 'bin') };
    const { stdout, stderr, code } = await run([everywire, 'init', 'sums', '--install'], undefined, env, folder);
    expect(stderr).toContain(`error: ${reason}; the project is created, and can be installed later\n`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Created sums:\n/);
    if (npm?.includes('echo')) expect(stdout).toContain(`npm: ${folder}/sums install`);
    expect(stdout).toContain('\nNext:\n  cd sums\n  npm install\n  npm run dev\n');
    expect(filesIn(join(folder, 'sums'))).toContain('package.json');
  },
);

describe('all or nothing', () => {
  const bash = (folder: string, line: string, options: object = {}) => {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', line, process.execPath, everywire], {
      cwd: folder,
      encoding: 'utf8',
      ...options,
    });
    return { stdout, stderr, status };
  };

  it(proves('init.all-or-nothing', 'a file that cannot be written takes the others with it'), () => {
    const folder = temporaryFolder('init');
    mkdirSync(join(folder, '.git'));
    // No file may have more than 1 KiB: the first ones fit, the README does not.
    for (const [target, where] of [
      ['a/b', join(folder, 'a/b')],
      ['.', folder],
    ] as const) {
      const full = bash(folder, `ulimit -f 1; "$0" "$1" init ${target}`);
      const sentence = `${join(where, 'README.md')} cannot be written (EFBIG); nothing was created`;
      expect(full).toEqual({ stdout: '', stderr: `error: ${sentence}\n`, status: 1 });
      expect(filesIn(folder)).toEqual([]);
      expect(bash(folder, 'ls -A').stdout).toBe('.git\n');
    }
  });

  it(proves('init.all-or-nothing', 'a link that leads elsewhere is in the way, and is not followed'), async () => {
    const folder = temporaryFolder('init');
    mkdirSync(join(folder, 'x/.vscode'), { recursive: true });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'x/.vscode/mcp.json'));
    expect((await init(folder, 'x', '--mcp', 'vscode')).stderr).toContain('it has .vscode/mcp.json;');
    expect(filesIn(folder)).toEqual(['x/.vscode/mcp.json']);
    symlinkSync('nowhere', join(folder, 'dangling'));
    expect(await init(folder, 'dangling')).toMatchObject({
      code: 1,
      stderr: `error: ${join(folder, 'dangling')} cannot be written (EEXIST); nothing was created\n`,
    });
  });

  it(proves('init.all-or-nothing', 'a folder of somebody else'), async () => {
    const folder = temporaryFolder('init');
    mkdirSync(join(folder, 'theirs'));
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'theirs'), 0o555);
    const isRoot = process.getuid?.() === 0;
    const refused = bash(folder, '"$0" "$1" init theirs', isRoot ? { uid: 65_534, gid: 65_534 } : {});
    expect(refused.stderr).toContain('theirs/src/theirs.ts cannot be written (EACCES); nothing was created\n');
    expect(refused.status).toBe(1);
    expect(filesIn(folder)).toEqual([]);
    // Where no folder can be created at all.
    expect((await init(folder, '/proc/everywire/x')).stderr).toMatch(
      /cannot be written \(ENOENT\); nothing was created/,
    );
  });
});

const ENTER = '\r';

function type(cwd: string, args: string, keys: readonly (readonly [RegExp, string])[], env = {}) {
  return onTerminal(`${process.execPath} ${everywire} init ${args}`, { cwd, env }, keys);
}

describe.concurrent('questions on a terminal', () => {
  it(proves('init.questions', 'all of them, with answers of every kind'), async () => {
    const folder = temporaryFolder('init', { 'full/notes': '' });
    const { screen, code } = await type(folder, '', [
      [/In which folder\?/, `full${ENTER}`],
      [/full is not empty: it has notes/, `\x15My Sums${ENTER}`],
      [/name of the package\?[^]*my-sums/, `Sums${ENTER}`],
      [/"Sums" cannot be the name of a package; try sums/, `\x15sums${ENTER}`],
      [/GitHub\?/, `n`],
      [/Dockerfile\?/, `y`],
      [/MCP clients\?/, ` ${ENTER}`],
      [/npm install now\?/, `n`],
    ]);
    expect(code).toBe(0);
    expect(filesIn(join(folder, 'My Sums'))).toEqual(
      [...filesOf('sums'), '.dockerignore', 'Dockerfile', '.mcp.json'].toSorted(),
    );
    expect(jsonIn(folder, 'My Sums/package.json').name).toBe('sums');
    expect(screen).toContain('Created sums in My Sums:');
    expect(screen).toContain("cd 'My Sums'");
  });

  it(proves('init.questions', 'what cannot work is refused before anything is asked'), async () => {
    const folder = temporaryFolder('init', { x: '' });
    for (const args of ['x', '--name Sums']) {
      const { screen, code } = await type(folder, args, []);
      expect(screen).toMatch(/^error: /);
      expect(code).toBe(1);
    }
  });
});
