import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createFiles } from 'everywire';
import { hostFolder } from 'everywire/node';
import { expect, it } from 'vitest';
import { size } from '../kit/sizes.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

const KILLS = size(2, 30);
const READS = 200;

/** Reads the file of a process that writes without a pause, and kills it. Returns everything that was to be seen. */
async function seenUntilKilled(folder: string): Promise<string[]> {
  const writer = spawn(process.execPath, ['test/env/endless-writer.mjs', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  const read = () => readFileSync(join(folder, 'file'), 'utf8');
  const seen: string[] = [];
  for (let i = 0; i < READS; i++) {
    seen.push(read());
    await setImmediate();
  }
  const ended = once(writer, 'exit');
  writer.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  return [...seen, read()];
}

it(
  proves('files.whole', 'readers see the old file or the new one, also after a kill'),
  async () => {
    const letters = new Set<string>();
    for (let i = 0; i < KILLS; i++) {
      const folder = temporaryFolder('killed');
      for (const text of await seenUntilKilled(folder)) {
        const [letter = ''] = text;
        expect(text === letter.repeat(300_000), `${text.length} bytes of ${letter}`).toBe(true);
        letters.add(letter);
      }
      // Unfinished files are not visible.
      const files = createFiles([{ at: '/', folder: hostFolder(folder) }]).open();
      expect((await files.list('/')).every(({ name }) => ['file', 'other'].includes(name))).toBe(true);
    }
    // It was read while it changed.
    expect(letters.size).toBeGreaterThan(2);
  },
  size(60_000, 300_000),
);
