import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createFiles, memoryFolder, type Mount } from 'everywire';
import { hostFolder } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../kit/linear.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

function folder(): string {
  const path = join(temporaryFolder('twice'), 'host');
  mkdirSync(join(path, 'sub'), { recursive: true });
  return path;
}

/** A folder of the host at a place. */
type Mounted = (at: string, sub?: string, options?: Partial<Mount>) => Mount;

const WAYS: Readonly<
  Record<string, (mount: Mounted, host: string) => [mounts: Mount[], paths: string[], file?: string]>
> = {
  'one folder at two places': (mount) => [
    [mount('/a'), mount('/b')],
    ['/a/f', '/b/f'],
  ],
  'a folder and one inside of it': (mount) => [
    [mount('/outer'), mount('/inner', 'sub')],
    ['/outer/sub/f', '/inner/f'],
    'sub/f',
  ],
  'a folder mounted within itself': (mount) => [
    [mount('/data'), mount('/data/again')],
    ['/data/f', '/data/again/f'],
  ],
  'a folder under another name, which is a link': (mount, host) => {
    symlinkSync(host, `${host}-link`);
    return [
      [mount('/a'), mount('/b', `../${basename(host)}-link`)],
      ['/a/f', '/b/f', '/a/sub/../f'],
    ];
  },
  'a link within a mount': (mount, host) => {
    symlinkSync('sub', join(host, 'link'));
    symlinkSync('sub/f', join(host, 'short'));
    return [[mount('/a'), mount('/b', 'sub')], ['/a/sub/f', '/a/link/f', '/a/short', '/b/f'], 'sub/f'];
  },
  'one with a quota and one without': (mount) => [
    [mount('/a', '', { maxBytes: 1_000_000 }), mount('/b'), mount('/c', '', { maxFileBytes: 1_000_000 })],
    ['/a/f', '/b/f', '/c/f'],
  ],
};

/** Several paths to one file, and the mounts for them. */
function waysOf(title: string, held: boolean) {
  const host = folder();
  const mount: Mounted = (at, sub = '', options = {}) => ({
    at,
    folder: hostFolder(join(host, sub), { held }),
    ...options,
  });
  const [mounts, paths, file = 'f'] = WAYS[title]!(mount, host);
  return { mounts, paths, file: join(host, file) };
}

describe.each([true, false])('held by descriptors: %s', (held) => {
  it.each(Object.keys(WAYS))(proves('files.mounts', 'nothing is lost: %s'), async (title) => {
    const { mounts, paths, file } = waysOf(title, held);
    // Like two calls: each opens its own view.
    const stores = [createFiles(mounts), createFiles(mounts)];
    const size = 24;
    writeFileSync(file, '0'.repeat(size));
    await Promise.all(
      Array.from({ length: size }, (_, i) => stores[i % 2]!.open().rewrite(paths[i % paths.length]!, i, '1')),
    );
    expect(readFileSync(file, 'utf8')).toBe('1'.repeat(size));
    await Promise.all([
      ...Array.from({ length: size }, (_, i) => stores[i % 2]!.open().append(paths[i % paths.length]!, '2')),
      ...paths.map((path, i) => stores[i % 2]!.open().rewrite(path, i, '3')),
    ]);
    const expected = '3'.repeat(paths.length) + '1'.repeat(size - paths.length) + '2'.repeat(size);
    expect(readFileSync(file, 'utf8')).toBe(expected);
  });

  it(proves('files.mounts', 'chmod during a rewrite is not lost'), async () => {
    const { mounts, paths, file } = waysOf('one folder at two places', held);
    const files = createFiles(mounts).open();
    writeFileSync(file, '0'.repeat(2_000_000), { mode: 0o644 });
    const rewriting = files.rewrite(paths[0]!, 0, '1');
    await Promise.all([rewriting, files.chmod(paths[1]!, 0o600), files.rewrite(paths[1]!, 1, '1')]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').slice(0, 3)).toBe('110');
  });
});

it(proves('files.mounts', 'nothing is lost: a folder in memory at two places'), async () => {
  const memory = memoryFolder({ '/f': '0'.repeat(20) });
  const files = createFiles([
    { at: '/a', folder: memory },
    { at: '/b', folder: memory, maxBytes: 1000 },
  ]).open();
  await Promise.all(Array.from({ length: 20 }, (_, i) => files.rewrite(i % 2 ? '/a/f' : '/b/f', i, '1')));
  expect(await files.readText('/a/f')).toBe('1'.repeat(20));
});

it(proves('files.write', 'writes to one path keep their order'), async () => {
  const files = createFiles([{ at: '/', folder: hostFolder(folder()) }]).open();
  for (let round = 0; round < 50; round++) {
    const path = `/${round}`;
    await Promise.all([files.write(path, 'a'), ...['b', 'c', 'd', 'e'].map((more) => files.append(path, more))]);
    expect(await files.readText(path)).toBe('abcde');
  }
});

it(proves('files.write', 'a failed write does not block later ones'), async () => {
  const files = createFiles([{ at: '/', folder: hostFolder(folder()) }]).open();
  const ended = await Promise.allSettled([
    files.rewrite('/none', 0, 'x'),
    files.write('/none', 'a'),
    files.write('/no/such', 'a'),
    files.append('/none', 'b'),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await files.readText('/none')).toBe('ab');
});

const canUnshare = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/proc']).status === 0;

it.skipIf(!canUnshare)(proves('files.contained', 'without /proc, the error message explains it'), () => {
  const host = folder();
  const module = JSON.stringify(resolve('dist/node.js'));
  const script = `import { hostFolder } from ${module};
    try { hostFolder(${JSON.stringify(host)}); } catch (error) { console.log(error.message); }
    console.log(await hostFolder(${JSON.stringify(host)}, { held: false }).stat(['sub']).then((found) => found.kind));`;
  const output = execFileSync(
    'unshare',
    ['-m', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$0" --input-type=module -e "$1"', process.execPath, script],
    { encoding: 'utf8' },
  );
  expect(output).toMatch(
    /^Cannot mount .*: \/proc is not mounted, and containment needs it; mount it .*\ndirectory\n$/,
  );
});

describe('find', () => {
  const patterns: Readonly<Record<string, (length: number) => string>> = {
    'any folders, again and again': (length) => '**/'.repeat(length / 3),
    'any folders, again and again, and a name': (length) => `${'**/'.repeat(length / 3)}*a`,
    'any folder and any name, in turn': (length) => '**/*/'.repeat(length / 5),
    'stars side by side': (length) => `${'*'.repeat(length)}b`,
    'stars and letters in turn': (length) => `${'*a'.repeat(length / 2)}b`,
    'any letter, after a star': (length) => `*${'?'.repeat(length / 5)}`,
    'a long set': (length) => `[${'a-c'.repeat(length / 3)}]`,
    'sets in turn': (length) => '[!a-c]*'.repeat(length / 7),
  };
  const tree = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`/${'a'.repeat(100)}${i}/${'a'.repeat(200)}`, '']),
  );
  const files = createFiles([{ at: '/', folder: memoryFolder(tree) }]).open();

  it.each(Object.entries(patterns))(proves('files.find', 'a malicious pattern takes linear time: %s'), (_, pattern) =>
    expectLinear((length) => () => files.find(pattern(length)), 120),
  );

  it(proves('files.find', 'treats repeated ** as one'), async () => {
    const there = createFiles([
      { at: '/', folder: memoryFolder({ '/a/b/c.txt': '', '/d.txt': '', '/a/e.txt': '' }) },
    ]).open();
    const found = async (pattern: string) => (await there.find(pattern)).map(({ path }) => path);
    for (const [often, once] of [
      ['**/**/**', '**'],
      ['**/**/*.txt', '**/*.txt'],
      ['a/**/**/*.txt', 'a/**/*.txt'],
      ['**/**/b/**/**/c.txt', '**/b/**/c.txt'],
      ['a/***', 'a/*'],
    ] as const) {
      expect(await found(often)).toEqual(await found(once));
      expect(await found(often)).not.toEqual([]);
    }
  });
});
