import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { FileWatcher } from '../../src/bin/dev/file-watcher.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let watcher: FileWatcher | undefined;
afterEach(() => watcher?.close());

/** Resolves with the next files that change. */
function watching(): { readonly next: () => Promise<readonly string[]>; readonly seen: string[][] } {
  const seen: string[][] = [];
  watcher = new FileWatcher((changed) => void seen.push([...changed]));
  const next = async () => {
    const count = seen.length;
    while (seen.length === count) await sleep(10);
    return seen.at(-1)!;
  };
  return { next, seen };
}

describe('watching files', () => {
  it('sees changes that no event reports', async () => {
    const [folder, elsewhere] = [temporaryFolder('watched'), temporaryFolder('elsewhere')];
    const [link, real] = [join(folder, 'link.ts'), join(elsewhere, 'real.ts')];
    writeFileSync(real, '1');
    symlinkSync(real, link);
    const { next } = watching();
    await watcher!.add([link]);
    writeFileSync(real, '2');
    expect(await next()).toEqual([link]);
  });

  it('sees a file in folders that do not exist yet, and that they are gone', async () => {
    const folder = temporaryFolder('watched');
    const file = join(folder, 'a/b/c.ts');
    const { next } = watching();
    await watcher!.add([file]);
    mkdirSync(join(folder, 'a/b'), { recursive: true });
    writeFileSync(file, '1');
    expect(await next()).toEqual([file]);
    rmSync(join(folder, 'a'), { recursive: true });
    expect(await next()).toEqual([file]);
  });

  it('reports a file that changed after it was read, and before it was watched', async () => {
    const file = join(temporaryFolder('watched'), 'a.ts');
    writeFileSync(file, '1');
    const { seen } = watching();
    await watcher!.add([file], Date.now() + 60_000);
    expect(seen).toEqual([]);
    watcher!.keep(new Set());
    await watcher!.add([file], Date.now() - 60_000);
    expect(seen).toEqual([[file]]);
  });
});
