import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { everywire, filesIn, init } from './create.ts';

/** What is typed, what is there, and the sentence. */
const refusals: readonly (readonly [args: readonly string[], there: readonly string[], sentence: string])[] = [
  [['--name', 'My App'], [], '"My App" cannot be the name of a package; try my-app'],
  [['--name', ''], [], '"" cannot be the name of a package; try my-functions'],
  [['--name', '@Me/Ünïcode'], [], '"@Me/Ünïcode" cannot be the name of a package; try @me/unicode'],
  [['--name', 'everywire'], [], '"everywire" cannot be the name of a package; try my-everywire'],
  [['--name', 'http'], [], '"http" cannot be the name of a package; try my-http'],
  [['--name', '../up'], [], '"../up" cannot be the name of a package; try up'],
  [['--name', 'a"b\n'], [], String.raw`"a\"b\n" cannot be the name of a package; try a-b`],
  [
    [],
    ['notes.txt', 'package.json'],
    'The current folder is not empty: it has notes.txt, package.json; choose another folder, or move them away',
  ],
  [
    ['x'],
    ['x/1', 'x/2', 'x/3', 'x/4', 'x/5', 'x/6', 'x/7'],
    'x is not empty: it has 1, 2, 3, 4, 5 and 2 more; choose another folder, or move them away',
  ],
  [
    ['x', '--mcp', 'vscode'],
    ['x/.vscode/mcp.json'],
    'x is not empty: it has .vscode/mcp.json; choose another folder, or move them away',
  ],
  [['x'], ['x'], 'x is not a folder'],
  [['x/y'], ['x'], 'x/y is not a folder'],
];

describe.concurrent('refusals', () => {
  it.each(refusals)(proves('init.refusals', '%j, with %j there'), async (args, there, sentence) => {
    const folder = temporaryFolder('init');
    for (const file of there) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), 'mine');
    }
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

describe.concurrent('npm install', () => {
  it.each([
    ['is missing', undefined, 'npm cannot be started (ENOENT)'],
    ['fails', '#!/bin/sh\necho "npm: $PWD $*"\nexit 7\n', 'npm install failed (7)'],
    ['is killed', '#!/bin/sh\nkill -9 $$\n', 'npm install failed (SIGKILL)'],
  ])(
    proves('init.refusals', '%s: the project is there, and the rest can be done later'),
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
});

describe('all or nothing', () => {
  const bash = (folder: string, command: string, options: object = {}) => {
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command, process.execPath, everywire], {
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
