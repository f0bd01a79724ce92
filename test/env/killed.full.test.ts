import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFiles } from 'everywire';
import { hostFolder } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { size } from '../kit/sizes.ts';

const KILLS = size(40, 200);
const AT_ONCE = 4;

/** Kills a writing process at a random moment, and returns what it left behind. */
async function killed(folder: string): Promise<string> {
  const writer = spawn(process.execPath, ['test/env/endless-writer.mjs', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(writer.stdout, 'data');
  await sleep(Math.random() * 40);
  const ended = once(writer, 'exit');
  writer.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  return readFileSync(join(folder, 'file'), 'utf8');
}

describe('a process that is killed while it writes', () => {
  it(
    proves('files.whole', `leaves the old file or the new one, ${KILLS} times`),
    async () => {
      const letters = new Set<string>();
      let unfinished = 0;
      const worker = async () => {
        for (let i = 0; i < KILLS / AT_ONCE; i++) {
          const folder = mkdtempSync(join(tmpdir(), 'everywire-killed-'));
          const text = await killed(folder);
          expect(text).toBe((text[0] ?? '').repeat(300_000));
          letters.add(text[0] ?? '');
          unfinished += readdirSync(folder).filter((name) => name.startsWith('.everywire-')).length;
          // Unfinished files are not visible.
          const files = createFiles([{ at: '/', folder: hostFolder(folder) }]).open();
          expect((await files.list('/')).every(({ name }) => ['file', 'other'].includes(name))).toBe(true);
          rmSync(folder, { recursive: true });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      // Some kills must have happened in the middle of a write.
      expect(letters.size).toBeGreaterThan(2);
      expect(unfinished).toBeGreaterThan(KILLS / 20);
    },
    180_000,
  );
});
