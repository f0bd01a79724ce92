import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFiles, memoryFolder, type FileStore, type Mount } from 'everywire';
import { hostFolder } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

// One suite for every kind of folder.

type Fresh = () => Mount['folder'];
const freshHost = (held: boolean) => () => hostFolder(temporaryFolder('files'), { held });
const kinds: readonly (readonly [string, Fresh])[] = [
  ['of the host, held by descriptors', freshHost(true)],
  ['of the host, by name', freshHost(false)],
  ['in memory', () => memoryFolder()],
];

const open = (...mounts: readonly Mount[]) => createFiles(mounts).open();
const bytes = (...values: readonly number[]) => new Uint8Array(values);
/** Expects that something fails with a code, or a message. */
const refused = (act: Promise<unknown>, expected: string | RegExp, code?: string) =>
  expect(act).rejects.toMatchObject(
    typeof expected === 'string' && /^[A-Z_]+$/.test(expected)
      ? { code: expected }
      : { message: typeof expected === 'string' ? expected : expect.stringMatching(expected), ...(code && { code }) },
  );
const INVALID = 'INVALID_ARGUMENTS';

describe.each(kinds)('a folder %s', (_kind, fresh) => {
  const one = () => open({ at: '/', folder: fresh() });

  it(proves('files.read', 'reads all or a part of a file'), async () => {
    const files = one();
    await files.write('/a.txt', 'grüß dich');
    expect(await files.readText('/a.txt')).toBe('grüß dich');
    await files.write('b.bin', bytes(0, 1, 2, 255));
    expect(await files.read('b.bin')).toEqual(bytes(0, 1, 2, 255));
    expect(await files.read('b.bin', { offset: 1, length: 2 })).toEqual(bytes(1, 2));
    expect(await files.read('b.bin', { offset: 3, length: 9 })).toEqual(bytes(255));
    expect(await files.read('b.bin', { offset: 9 })).toEqual(bytes());
    await refused(files.read('b.bin', { offset: -1 }), INVALID);
    await refused(files.read('b.bin', { length: 0.5 }), INVALID);
    await refused(files.readText('b.bin'), 'Not text in UTF-8: /b.bin');
  });

  it(proves('files.write', 'replaces all or a part of a file'), async () => {
    const files = one();
    await files.write('a', 'longer than');
    await files.write('a', 'short');
    expect(await files.readText('a')).toBe('short');
    await files.rewrite('a', 1, 'HOR');
    expect(await files.readText('a')).toBe('sHORt');
    await files.rewrite('a', 4, 'TEST');
    expect(await files.readText('a')).toBe('sHORTEST');
    await files.rewrite('a', 8, '.');
    expect(await files.readText('a')).toBe('sHORTEST.');
    await refused(files.rewrite('a', 99, 'x'), 'Offset 99 is past the end: /a has 9 bytes', 'CONFLICT');
    await refused(files.rewrite('none', 0, 'x'), 'NOT_FOUND');
    const large = new Uint8Array(3_000_000).fill(7);
    await files.write('large', large);
    await files.rewrite('large', 1_500_000, bytes(8));
    large[1_500_000] = 8;
    expect(Buffer.compare(await files.read('large'), large)).toBe(0);
  });

  it(proves('files.write', 'appends'), async () => {
    const files = one();
    await files.append('log', 'one\n');
    await files.append('log', 'two\n');
    expect(await files.readText('log')).toBe('one\ntwo\n');
    await Promise.all(Array.from({ length: 20 }, (_, i) => files.append('many', `line ${i}\n`)));
    expect((await files.readText('many')).split('\n')).toHaveLength(21);
  });

  it(proves('files.write', 'loses nothing in concurrent writes'), async () => {
    const files = one();
    await files.write('a', '.'.repeat(20));
    await Promise.all(Array.from({ length: 20 }, (_, i) => files.rewrite('a', i, 'X')));
    expect(await files.readText('a')).toBe('X'.repeat(20));
    await files.write('b', '');
    const appends = Array.from({ length: 30 }, () => files.append('b', '1'));
    await Promise.all([...appends, files.rewrite('b', 0, ''), files.rewrite('b', 0, '')]);
    expect(await files.readText('b')).toBe('1'.repeat(30));
  });

  it(proves('files.write', 'accepts only strings and bytes'), async () => {
    const files = one();
    await files.write('a', 'A');
    for (const data of [5, null, undefined, {}, [], new ArrayBuffer(2), new Uint16Array(2)])
      await refused(files.write('a', data as never), INVALID);
    expect(await files.readText('a')).toBe('A');
  });

  it(proves('files.folders', 'limits the depth of folders'), async () => {
    const files = one();
    const deep = '/d'.repeat(64);
    await files.makeDirectory(deep);
    expect(await files.stat(deep)).toMatchObject({ kind: 'directory' });
    await refused(files.makeDirectory(`${deep}/d`), INVALID);
    await files.changeDirectory(deep);
    await refused(files.write('x/y', ''), INVALID);
    await files.remove('/d', { recursive: true });
  });

  it(proves('files.write', 'copies, removes, and reports missing files'), async () => {
    const files = one();
    await files.write('a', 'A');
    await files.copy('a', 'b');
    await files.write('a', 'changed');
    expect(await files.readText('b')).toBe('A');
    await files.remove('a');
    expect(await files.stat('a')).toBeUndefined();
    expect(await files.stat('no/such/folder')).toBeUndefined();
    for (const act of [
      () => files.read('a'),
      () => files.remove('a'),
      () => files.copy('a', 'c'),
      () => files.chmod('a', 0o600),
      () => files.list('a'),
      () => files.changeDirectory('a'),
      () => files.write('a/b', 'x'),
    ])
      await refused(act(), /: \/a(\/b)?$/, 'NOT_FOUND');
  });

  it(proves('files.folders', 'creates, lists and removes folders'), async () => {
    const files = one();
    await files.makeDirectory('/x/y/z');
    await files.makeDirectory('/x/y');
    await files.write('/x/y/f', '12345');
    expect((await files.list('/x')).map(({ name, path, kind }) => [name, path, kind])).toEqual([
      ['y', '/x/y', 'directory'],
    ]);
    expect(await files.stat('/x/y/f')).toMatchObject({ name: 'f', kind: 'file', size: 5 });
    await refused(files.remove('/x'), 'The folder is not empty: /x');
    await refused(files.remove('/x/y/f/g'), 'Not a folder: /x/y/f/g');
    await refused(files.write('/x/y', 'no'), 'It is a folder: /x/y');
    await refused(files.read('/x'), 'It is a folder: /x');
    await refused(files.append('/x', ''), 'It is a folder: /x');
    await refused(files.makeDirectory('/x/y/f'), 'Not a folder: /x/y/f');
    await refused(files.list('/x/y/f'), 'Not a folder: /x/y/f');
    await files.remove('/x/y/z');
    await files.remove('/x', { recursive: true });
    expect(await files.list('/')).toEqual([]);
    await refused(files.remove('/', { recursive: true }), 'FORBIDDEN');
  });

  it(proves('files.folders', 'keeps permissions if a file is replaced'), async () => {
    const files = one();
    await files.write('a', '1');
    await files.chmod('a', 0o640);
    await files.write('a', '2');
    expect((await files.stat('a'))?.mode).toBe(0o640);
    await files.makeDirectory('d');
    await files.chmod('d', 0o700);
    expect((await files.stat('d'))?.mode).toBe(0o700);
    for (const mode of [0o4755, -1, 1.5, Number.NaN]) await refused(files.chmod('a', mode), INVALID);
  });

  it(proves('files.find', 'finds by pattern'), async () => {
    const files = one();
    await files.makeDirectory('/a/b/c');
    for (const path of ['/1.txt', '/2.md', '/a/3.txt', '/a/b/4.txt', '/a/b/c/[5].txt', '/a/b/c/ü6.txt'])
      await files.write(path, '');
    const found = async (pattern: string, from?: string) => (await files.find(pattern, from)).map(({ path }) => path);
    expect(await found('*.txt')).toEqual(['/1.txt']);
    expect(await found('**/*.txt', '/a')).toEqual(['/a/3.txt', '/a/b/4.txt', '/a/b/c/[5].txt', '/a/b/c/ü6.txt']);
    expect(await found('a/*/*.txt')).toEqual(['/a/b/4.txt']);
    expect(await found('a/**/c')).toEqual(['/a/b/c']);
    expect(await found('**')).toHaveLength(9);
    expect(await found('[12].*')).toEqual(['/1.txt', '/2.md']);
    expect(await found('[!1].*')).toEqual(['/2.md']);
    expect(await found('[0-1].t?t')).toEqual(['/1.txt']);
    await files.write('-', '');
    expect(await found('[a-z]')).toEqual(['/a']);
    expect(await found('[!a-z]')).toEqual(['/-']);
    expect(await found('[-z]')).toEqual(['/-']);
    await files.remove('-');
    expect(await found('**/[[]5].txt')).toEqual(['/a/b/c/[5].txt']);
    expect(await found('**/?6.txt')).toEqual(['/a/b/c/ü6.txt']);
    await refused(files.find('/etc/*'), INVALID);
    await refused(files.find(''), INVALID);
    // Would take forever with backtracking.
    await files.write('a'.repeat(200), '');
    expect(await found(`${'*a'.repeat(100)}b`)).toEqual([]);
  });

  it(proves('files.directory', 'has a current directory for each call'), async () => {
    const store = createFiles([{ at: '/', folder: fresh() }]);
    const [mine, yours] = [store.open(), store.open()];
    await mine.makeDirectory('/a/b');
    await mine.changeDirectory('a');
    await mine.write('f', 'in a');
    await mine.changeDirectory('./b/../b');
    expect([mine.currentDirectory, yours.currentDirectory]).toEqual(['/a/b', '/']);
    expect(await mine.readText('../f')).toBe('in a');
    expect(await yours.readText('a/f')).toBe('in a');
    await refused(mine.changeDirectory('../f'), 'Not a folder: /a/f');
    expect(mine.currentDirectory).toBe('/a/b');
  });

  it(proves('files.readonly', 'can be read-only'), async () => {
    const folder = fresh();
    await open({ at: '/', folder }).write('a', 'A');
    const files = open({ at: '/', folder, readOnly: true });
    expect(await files.readText('a')).toBe('A');
    for (const act of [
      () => files.write('a', 'B'),
      () => files.write('b', 'B'),
      () => files.rewrite('a', 0, 'B'),
      () => files.append('a', 'B'),
      () => files.copy('a', 'b'),
      () => files.remove('a'),
      () => files.chmod('a', 0o777),
      () => files.makeDirectory('d'),
    ])
      await refused(act(), /^Read-only: \//, 'FORBIDDEN');
    expect(await files.readText('a')).toBe('A');
    expect(await files.list('/')).toHaveLength(1);
  });

  it(proves('files.quota', 'respects its quota'), async () => {
    const files = open({ at: '/', folder: fresh(), maxBytes: 10, maxFileBytes: 6 });
    await files.write('a', '123456');
    const tooLarge = { code: 'QUOTA_EXCEEDED', message: 'The file would be larger than the mount allows: /a' };
    await expect(files.write('a', '1234567')).rejects.toMatchObject(tooLarge);
    await expect(files.append('a', '7')).rejects.toMatchObject(tooLarge);
    await expect(files.rewrite('a', 5, '67')).rejects.toMatchObject(tooLarge);
    expect(await files.readText('a')).toBe('123456');
    const full = { code: 'QUOTA_EXCEEDED', message: 'The mount is full: /b' };
    await expect(files.write('b', '12345')).rejects.toMatchObject(full);
    await expect(files.copy('a', 'b')).rejects.toMatchObject(full);
    expect(await files.stat('b')).toBeUndefined();
    await files.write('a', '654321');
    const tried = await Promise.allSettled(['b', 'c', 'd'].map((name) => files.write(name, '1234')));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await files.remove('a');
    await files.write('a', '12345');
  });

  it(proves('files.quota', 'also with concurrent appends, or through two mounts of one folder'), async () => {
    const folder = fresh();
    const files = open({ at: '/x', folder, maxBytes: 100, maxFileBytes: 60 }, { at: '/y', folder, maxBytes: 100 });
    const done = async (tries: readonly Promise<void>[]) =>
      (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
    expect(await done(Array.from({ length: 20 }, () => files.append('/x/a', '123456789.')))).toBe(6);
    const both = ['/x/b', '/y/c', '/x/d', '/y/e'].map((path) => files.write(path, '12345678901234567890.........'));
    expect(await done(both)).toBe(1);
  });

  it(proves('files.quota', 'can be measured while files are removed'), async () => {
    const files = open({ at: '/', folder: fresh(), maxBytes: 1000 });
    for (let i = 0; i < 10; i++) {
      await files.makeDirectory(`/x/${i}/y`);
      await files.write(`/x/${i}/y/f`, '1');
    }
    await Promise.all([
      files.remove('/x', { recursive: true }),
      ...['a', 'b', 'c'].map((name) => files.write(name, '1')),
    ]);
    expect((await files.list('/')).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it(proves('files.mounts', 'of several mounts the longest wins, and /data does not include /database'), async () => {
    const [outer, inner, twice] = [fresh(), fresh(), fresh()];
    const store: FileStore = createFiles([
      { at: '/data', folder: outer },
      { at: '/data/inner', folder: inner, readOnly: true },
      { at: '/x/one', folder: twice },
      { at: '/x/two', folder: twice },
    ]);
    const files = store.open();
    await open({ at: '/', folder: inner }).write('f', 'inner');
    await files.write('/data/f', 'outer');
    expect([await files.readText('/data/f'), await files.readText('/data/inner/f')]).toEqual(['outer', 'inner']);
    await refused(files.write('/data/inner/g', ''), 'Read-only: /data/inner/g');
    expect((await files.list('/')).map(({ name }) => name)).toEqual(['data', 'x']);
    expect((await files.list('/data')).map(({ name }) => name)).toEqual(['f', 'inner']);
    await files.write('/x/one/f', 'both');
    expect(await files.readText('/x/two/f')).toBe('both');
    for (const path of ['/database/f', '/dat', '/x/three', '/etc/passwd', '/datax', '/data2/../x/four'])
      await refused(files.read(path), /^Outside of every mount: \//, 'FORBIDDEN');
    await files.changeDirectory('/x');
    expect(await files.stat('.')).toMatchObject({ kind: 'directory', path: '/x' });
    await refused(files.remove('/x', { recursive: true }), 'FORBIDDEN');
    await refused(files.remove('/data', { recursive: true }), 'FORBIDDEN');
    await files.makeDirectory('/x');
    const over = open({ at: '/', folder: outer }, { at: '/not/there', folder: inner });
    expect((await over.list('/not')).map(({ name }) => name)).toEqual(['there']);
    expect(await over.stat('/not')).toMatchObject({ kind: 'directory' });
    expect((await over.find('**')).map(({ path }) => path)).toEqual(['/f', '/not', '/not/there', '/not/there/f']);
    await refused(files.makeDirectory('/y'), 'Outside of every mount: /y');
  });
});

describe('mounts', () => {
  it(proves('files.mounts', 'must have different paths that start with /, and be folders'), () => {
    const folder = memoryFolder();
    expect(() => createFiles([{ at: 'data', folder }])).toThrow('must start with /');
    expect(() =>
      createFiles([
        { at: '/a', folder },
        { at: '/a/', folder },
      ]),
    ).toThrow('Two mounts at /a');
    expect(() => hostFolder('/no/such')).toThrow('Not a folder: /no/such');
    expect(() => hostFolder('package.json')).toThrow('Not a folder: package.json');
  });
});

describe('without mounts', () => {
  it(proves('files.mounts', 'there is an empty root'), async () => {
    const files = open();
    expect(await files.list('/')).toEqual([]);
    expect(await files.stat('/')).toMatchObject({ kind: 'directory' });
    await refused(files.write('/a', ''), 'Outside of every mount: /a');
  });
});

describe('on the host', () => {
  const folder = temporaryFolder('host');
  const files = open({ at: '/', folder: hostFolder(folder) });

  it(proves('files.links', 'links are followed within the mount'), async () => {
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real/file'), 'content');
    symlinkSync('real', join(folder, 'relative'));
    symlinkSync(join(folder, 'real'), join(folder, 'absolute'));
    symlinkSync('relative/file', join(folder, 'chain'));
    symlinkSync('new-file', join(folder, 'dangling'));
    for (const path of ['/relative/file', '/absolute/file', '/chain'])
      expect(await files.readText(path)).toBe('content');
    await files.write('/chain', 'changed');
    expect(await files.readText('/real/file')).toBe('changed');
    expect((await files.list('/')).map(({ name, kind }) => `${name} ${kind}`)).toContain('chain link');
    expect(await files.stat('/chain')).toMatchObject({ kind: 'file', path: '/chain' });
    await files.write('/dangling', 'made');
    expect(await files.readText('/new-file')).toBe('made');
    await files.remove('/chain');
    expect(await files.readText('/real/file')).toBe('changed');
    await files.remove('/absolute', { recursive: true });
    expect(await files.readText('/real/file')).toBe('changed');
  });

  it(proves('files.links', 'a link may lead to the mount, which may be the root'), async () => {
    symlinkSync('.', join(folder, 'self'));
    const nested = open({ at: '/', folder: hostFolder(folder) }, { at: '/x/y', folder: memoryFolder() });
    mkdirSync(join(folder, 'x'));
    await refused(nested.remove('/self/x', { recursive: true }), 'FORBIDDEN');
    const all = open({ at: '/', folder: hostFolder('/') });
    symlinkSync(join(folder, 'real/file'), join(folder, 'of-root'));
    expect(await all.readText(join(folder, 'of-root'))).toBe('changed');
  });

  it(proves('files.read', 'a file that is too large for one read is rejected, and can be read in parts'), async () => {
    execFileSync('truncate', ['-s', '3G', join(folder, 'large')]);
    await refused(files.read('/large'), 'CONFLICT');
    expect(await files.read('/large', { offset: 2 ** 31 + 5, length: 3 })).toEqual(bytes(0, 0, 0));
    await files.remove('/large');
  });

  it(proves('files.read', 'no descriptor stays open'), async () => {
    const count = () => readdirSync('/proc/self/fd').length;
    linkSync(join(folder, 'real/file'), join(folder, 'second-name'));
    const before = count();
    for (let i = 0; i < 50; i++) {
      for (const path of ['/second-name', '/pipe-or-none', '/real', '/real/file/x', '/self/self/real/file'])
        await files.read(path).catch(() => {});
      await files.write('/real', '').catch(() => {});
    }
    expect(count()).toBeLessThanOrEqual(before + 2);
    await files.remove('/second-name');
  });

  it(proves('files.special', 'pipes and devices are rejected, without blocking'), async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    if (process.getuid?.() === 0) execFileSync('mknod', [join(folder, 'null'), 'c', '1', '3']);
    else symlinkSync('pipe', join(folder, 'null'));
    for (const path of ['/pipe', '/null']) {
      for (const act of [
        () => files.read(path),
        () => files.write(path, 'x'),
        () => files.append(path, 'x'),
        () => files.rewrite(path, 0, 'x'),
        () => files.copy(path, '/copy'),
        () => files.chmod(path, 0o777),
      ]) {
        await expect(act()).rejects.toMatchObject({ message: `Neither a file nor a folder: ${path}` });
      }
    }
    expect((await files.list('/')).find(({ name }) => name === 'pipe')?.kind).toBe('other');
  });
});
