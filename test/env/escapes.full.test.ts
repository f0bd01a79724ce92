import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFiles, type Files } from 'everywire';
import { hostFolder } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

/** Encodings of a dot, a slash and `..` that have fooled path checks before. */
const DOTS = ['\u2024', '\uff0e', '\u3002', '\\x2e', ...'. %2e %2E %252e %c0%2e %c0%ae %u002e &#46; 0x2e'.split(' ')];
const BACKSLASHES = ['\\', '\\/', '/\\', '\\x2f'];
const SLASHES = [
  ...'/ // %2f %2F %5c %252f %255c %c0%af %c1%9c %u2215 /./ /.// &#47;'.split(' '),
  ...BACKSLASHES,
  ...'\u2215 \u2044 \uff0f \u29f8 \ufe68 \uff3c'.split(' '),
];
const CONTROLS = ['', ' ', '\0', '\0.txt', '\n', '\r\n', '\u202e', '\ud800'];
const ENDS = [...CONTROLS, ...'%00 %00.txt / /. # ? ;.txt'.split(' ')];
const WINDOWS = ['C:', 'C:/', 'C:\\', '\\\\?\\', '\\\\host\\share\\'];
const PREFIXES = [
  '',
  '\u2215',
  ...WINDOWS,
  ...'/ ./ inside/ /inside/ file:// file:/// ~ ~root/ // /// /./ %2f'.split(' '),
];

/** Paths that some parsers resolve to `target`, from a folder at the given depth. */
function* pathsTo(target: string): Iterable<string> {
  const up = (dot: string, slash: string, times: number) => `${dot}${dot}${slash}`.repeat(times);
  for (const dot of DOTS) {
    for (const slash of SLASHES) {
      for (const times of [1, 3, 12]) yield up(dot, slash, times) + target;
    }
  }
  for (const prefix of PREFIXES) {
    for (const end of ENDS) {
      yield prefix + target + end;
      yield `${prefix}../../../../${target}${end}`;
      yield `${prefix}inside/../../${target}${end}`;
    }
  }
  for (const odd of ['....//', '..;/', '.../', '....\\\\', '..%00/', '..\0/', './../', '..//', '/..', '.%2e/', '%2e./'])
    for (const times of [1, 4, 9]) yield odd.repeat(times) + target;
}

/** Collected and generated paths. None of them may lead out of the mount. */
function escapePaths(secret: string, folder: string): readonly string[] {
  const targets = [
    secret.slice(1),
    secret.slice(1).split('/').at(-1)!,
    'etc/passwd',
    `${folder.slice(1)}-sibling/secret`,
  ];
  return [...new Set(targets.flatMap((target) => [...pathsTo(target)]))];
}

const SECRET = 'the secret';

/** A mount, and files outside of it that must not change. */
function sandbox(at = '/', options = {}) {
  const base = temporaryFolder('escape');
  const [folder, outside] = [join(base, 'mount'), join(base, 'outside')];
  for (const path of [folder, join(folder, 'inside'), outside, `${folder}-sibling`]) mkdirSync(path);
  for (const path of [join(outside, 'secret'), `${folder}-sibling/secret`, join(base, 'secret')])
    writeFileSync(path, SECRET, { mode: 0o600 });
  const files = createFiles([{ at, folder: hostFolder(folder, options) }]).open();
  /** The current state of everything outside. */
  const around = () =>
    readdirSync(base)
      .flatMap((name) => (name === 'mount' ? [] : [name, ...inFolder(base, name)]))
      .map((name) => [name, statSync(join(base, name)).mode, contentOf(join(base, name))]);
  return { base, folder, outside, files, around };
}

function inFolder(base: string, name: string): string[] {
  return statSync(join(base, name)).isDirectory()
    ? readdirSync(join(base, name)).map((child) => join(name, child))
    : [];
}

function contentOf(path: string): string {
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
}

/** Every operation on a path. Returns what was read. */
const acts: Record<string, (files: Files, path: string) => Promise<unknown>> = {
  read: (files, path) => files.read(path).then((bytes) => Buffer.from(bytes).toString()),
  readText: (files, path) => files.readText(path),
  write: (files, path) => files.write(path, 'overwritten'),
  append: (files, path) => files.append(path, 'overwritten'),
  rewrite: (files, path) => files.rewrite(path, 0, 'overwritten'),
  copyFrom: async (files, path) => {
    await files.copy(path, '/copied');
    return files.readText('/copied');
  },
  copyTo: (files, path) => files.copy('/inside/own', path),
  chmod: (files, path) => files.chmod(path, 0o777),
  list: (files, path) => files.list(path),
  find: (files, path) => files.find('**', path),
  stat: (files, path) => files.stat(path),
  makeDirectory: (files, path) => files.makeDirectory(path),
  changeDirectory: (files, path) => files.changeDirectory(path),
  remove: (files, path) => files.remove(path, { recursive: true }),
};

async function attempt(act: Promise<unknown>): Promise<{ readonly got?: unknown; readonly refusal?: string }> {
  try {
    return { got: await act };
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    expect([name, code, message]).not.toEqual(['Failure', 'INTERNAL_ERROR', message]);
    expect(name).toBe('Failure');
    return { refusal: message };
  }
}

describe.each(['/', '/data'])('a mount at %s', (at) => {
  it(proves('files.contained', 'no path leads out of it'), async () => {
    const { base, folder, outside, files, around } = sandbox(at);
    const paths = escapePaths(join(outside, 'secret'), folder);
    expect(paths.length).toBeGreaterThan(2000);
    const before = around();
    for (const path of paths) {
      await files.changeDirectory(at);
      for (const [name, act] of Object.entries(acts)) {
        // Every path is read; the other operations use a sample.
        if (name !== 'read' && path.length % 29 !== 0) continue;
        const { got, refusal } = await attempt(act(files, path));
        expect(JSON.stringify(got) ?? '').not.toContain(SECRET);
        if (refusal !== undefined && !path.includes(base.slice(1))) expect(refusal).not.toContain(base);
      }
    }
    expect(around()).toEqual(before);
  });
});

describe.each([true, false])('links, in a folder held by descriptors: %s', (held) => {
  it(proves('files.contained', 'do not lead outside'), async () => {
    const { base, folder, outside, files, around } = sandbox('/', { held });
    writeFileSync(join(folder, 'inside/own'), 'own');
    const links: Record<string, string> = {
      file: join(outside, 'secret'),
      folder: outside,
      relative: '../outside/secret',
      parent: '..',
      root: '/',
      loop: 'loop',
      'loop-a': 'loop-b',
      'loop-b': './loop-a',
      chain: 'folder/secret',
      'inside/up': '../../outside',
      'inside/sibling': `${folder}-sibling/secret`,
      prefix: `${folder}/../outside/secret`,
      process: '/proc/self/root',
      descriptor: '/proc/self/fd/0',
      new: join(outside, 'new'),
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
    linkSync(join(outside, 'secret'), join(folder, 'hard'));
    const before = around();
    const paths = Object.keys(links).flatMap((name) => [name, `${name}/`, `${name}/secret`, `${name}/../${name}`]);
    for (const path of [...paths, 'hard', 'inside/up/secret', 'parent/outside/secret']) {
      for (const [name, act] of Object.entries(acts)) {
        // remove deletes the link itself, which the other operations need.
        if (name === 'remove' || (name === 'write' && path === 'hard') || (name === 'copyTo' && path === 'hard'))
          continue;
        const { got, refusal } = await attempt(act(files, path));
        expect([path, name, JSON.stringify(got) ?? '']).not.toEqual([path, name, expect.stringContaining(SECRET)]);
        expect(refusal ?? '').not.toContain(base);
        await files.changeDirectory('/');
      }
    }
    await expect(files.read('file')).rejects.toMatchObject({ message: 'A link leads out of the mount: /file' });
    await expect(files.read('loop')).rejects.toMatchObject({ message: 'Too many links: /loop' });
    await expect(files.read('hard')).rejects.toMatchObject({ message: expect.stringContaining('Hard-linked') });
    expect(around()).toEqual(before);

    // A hard link is replaced, not written through.
    await files.write('hard', 'mine');
    expect(await files.readText('hard')).toBe('mine');
    for (const name of Object.keys(links)) await files.remove(name, { recursive: true });
    expect(around()).toEqual(before);
  });
});

describe('a second process that swaps links and folders', () => {
  it(proves('files.contained', 'gains nothing in five seconds'), { timeout: 60_000 }, async () => {
    const { folder, outside, files, around } = sandbox();
    writeFileSync(join(folder, 'inside/own'), 'own');
    const before = around();
    const swapper = spawn(process.execPath, ['test/env/link-swapper.mjs', folder, outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(swapper.stdout, 'data');
      const counts = { went: 0, refused: 0 };
      const end = Date.now() + 5000;
      while (Date.now() < end) {
        const round = Object.entries(acts).flatMap(([name, act]) =>
          ['/swap/secret', '/file', '/swap'].map(async (path) => {
            if (name === 'changeDirectory') return;
            const { got, refusal } = await attempt(act(files, path));
            expect(JSON.stringify(got) ?? '').not.toContain(SECRET);
            expect(refusal ?? '').not.toContain(folder);
            counts[refusal === undefined ? 'went' : 'refused']++;
          }),
        );
        await Promise.all(round);
      }
      // Both must have happened often, and the other process must still run; otherwise nothing was raced.
      expect(swapper.exitCode).toBe(null);
      expect(counts.went).toBeGreaterThan(100);
      expect(counts.refused).toBeGreaterThan(100);
    } finally {
      swapper.kill('SIGKILL');
    }
    expect(around()).toEqual(before);
  });
});
