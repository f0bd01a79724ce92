import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createApp, forms } from 'everywire';
import { serve } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fn, object, string } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { mostMemoryOf } from '../reliability/growth/memory.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { startServing, type Served } from '../kit/served.ts';

const exec = promisify(execFile);
const MEGABYTE = 1_000_000;
const SIZE = 200 * MEGABYTE;
/** What a process may use beyond what a small call takes: half of the file. */
const MOST = 100 * MEGABYTE;

const folder = temporaryFolder('large');
const large = join(folder, 'large.bin');
const small = join(folder, 'small.bin');
let sha256: string;
let served: Served;

beforeAll(async () => {
  const [file, other] = await Promise.all([open(large, 'w'), open(small, 'w')]);
  const hash = createHash('sha256');
  for (let i = 0; i < SIZE / MEGABYTE; i++) {
    const chunk = randomBytes(MEGABYTE);
    hash.update(chunk);
    await file.write(chunk);
  }
  sha256 = hash.digest('hex');
  await other.write('x');
  await Promise.all([file.close(), other.close()]);
  served = await startServing('test/apps/uploads.ts');
});
afterAll(() => served?.stop());

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The most memory that the server has used so far, in bytes. */
const memory = () => mostMemoryOf(served.child.pid!)!;

/** Runs a call of the command line to its end. */
const call = (...args: string[]) => run('dist/bin/everywire.js', 'call', 'test/apps/uploads.ts', ...args);

async function run(...args: string[]): Promise<{ readonly stdout: string; readonly peak: number }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let [stdout, most] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const timer = setInterval(() => (most = Math.max(most, mostMemoryOf(child.pid!) ?? 0)), 5);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  expect(code).toBe(0);
  return { stdout, peak: most };
}

describe.runIf(process.platform === 'linux')('200 MB', () => {
  it(proves('file.bounded', 'up and down through HTTP'), async () => {
    const url = `${served.url}/functions`;
    const out = join(folder, 'http.bin');
    await exec('curl', ['-sS', '-F', `file=@${small}`, `${url}/Echo`, '-o', out]);
    const before = memory();
    const { stdout } = await exec('curl', ['-sS', '-F', `file=@${large}`, '-F', 'note=large', `${url}/Hash`]);
    expect(JSON.parse(stdout)).toMatchObject({ result: { name: 'large.bin', size: SIZE, sha256, note: 'large' } });
    await exec('curl', ['-sS', '-F', `file=@${large}`, `${url}/Echo`, '-o', out]);
    expect(await hashOf(out)).toBe(sha256);
    // A stream whose size nobody knows.
    await exec('curl', ['-sS', `${url}/Zeros?size=${SIZE}`, '-o', out]);
    expect(await hashOf(out)).toBe(createHash('sha256').update(Buffer.alloc(SIZE)).digest('hex'));
    expect(memory() - before).toBeLessThan(MOST);
  });

  it(proves('file.bounded', 'in and out on the command line'), async () => {
    const { peak: before } = await call('Hash', '--file', `@${small}`);
    const { stdout, peak } = await call('Hash', '--file', `@${large}`);
    expect(JSON.parse(stdout)).toMatchObject({ result: { name: 'large.bin', size: SIZE, sha256 } });
    const out = join(folder, 'cli.bin');
    const saved = await call('Echo', '--file', `@${large}`, '--out', out);
    expect([saved.stdout, await hashOf(out)]).toEqual(['', sha256]);
    expect(Math.max(peak, saved.peak) - before).toBeLessThan(MOST);
  });

  it(proves('file.bounded', 'down through the client'), async () => {
    const parts = { input: object({ path: string }), output: { ...forms.file, description: 'The file' } };
    const stored = fn('Stored', parts, async ({ path }) => new File([await openAsBlob(path)], 'large.bin'));
    const host = await serve(createApp({ name: 'Stored', version: '1.0.0', functions: [stored] }), { port: 0 });
    const out = join(folder, 'client.bin');
    const script = `
      import { createHash } from 'node:crypto';
      import { writeFile } from 'node:fs/promises';
      import { createClient } from 'everywire/client';
      const [path, size] = process.argv.slice(1);
      const file = await createClient('${host.url}').call('Stored', { path });
      await writeFile('${out}', file.data.stream());
      // A stream whose size nobody knows.
      const zeros = await createClient('${served.url}').call('Zeros', { size: Number(size) });
      const hash = createHash('sha256');
      for await (const chunk of zeros.data.stream()) hash.update(chunk);
      console.log(JSON.stringify([file.data.size, hash.digest('hex')]));`;
    const download = (path: string, size: number) => run('--input-type=module', '--eval', script, path, String(size));
    const { peak: before } = await download(small, 1);
    const { stdout, peak } = await download(large, SIZE);
    const zeros = createHash('sha256').update(Buffer.alloc(SIZE)).digest('hex');
    expect([JSON.parse(stdout), await hashOf(out)]).toEqual([[SIZE, zeros], sha256]);
    expect(peak - before).toBeLessThan(MOST);
    await host.drain();
  });
});
