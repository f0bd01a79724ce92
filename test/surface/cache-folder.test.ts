import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cacheFolder } from '../../src/load/cache-folder.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';

afterEach(() => vi.unstubAllEnvs());

function home(): string {
  const folder = temporaryFolder('cache');
  vi.stubEnv('XDG_CACHE_HOME', folder);
  return folder;
}

describe('the folder for what is made once', () => {
  it('is made for its owner alone', () => {
    const folder = join(home(), 'everywire');
    expect(cacheFolder()).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(cacheFolder()).toBe(folder);
  });

  it('is none that others can write to, a link, or where nothing can be made', () => {
    const open = join(home(), 'everywire');
    mkdirSync(open);
    chmodSync(open, 0o777);
    expect(cacheFolder()).toBeUndefined();
    symlinkSync(tmpdir(), join(home(), 'everywire'));
    expect(cacheFolder()).toBeUndefined();
    writeFileSync(join(home(), 'everywire'), '');
    expect(cacheFolder()).toBeUndefined();
  });

  it('holds compiled TypeScript, and a command does without it', async () => {
    const folder = home();
    // With an enum, which no version of Node runs without a compiler.
    const module = join(folder, 'app.ts');
    writeFileSync(
      module,
      `enum X { Y = 3 }\nimport { createApp, defineFunction } from '${process.cwd()}/dist/index.js';
      const f = defineFunction({ name: 'F', description: 'f', output: { type: 'integer', description: 'd' }, run: () => X.Y });
      export default createApp({ name: 'A', version: '1', functions: [f] });`,
    );
    const call = (XDG_CACHE_HOME: string) =>
      run(['dist/bin/everywire.js', 'call', module, 'F'], undefined, { XDG_CACHE_HOME });
    expect((await call(folder)).stdout).toBe('{"result":3}');
    expect(readdirSync(join(folder, 'everywire')).length).toBeGreaterThan(0);
    expect((await call('/dev/null')).stdout).toBe('{"result":3}');
  });
});
