import { readdirSync, watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { keys } from '../apps/access.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { startServing, type Served } from '../kit/served.ts';

const folder = temporaryFolder('strangers');
let served: Served;
beforeAll(async () => {
  vi.stubEnv('TMPDIR', folder);
  served = await startServing('test/apps/access.ts');
  vi.unstubAllEnvs();
});
afterAll(() => served.stop());

/** The answer to an upload of 10 MB, and the files that were ever created for it. */
async function upload(headers: Record<string, string>) {
  const created = new Set<string | null>();
  const watcher = watch(folder, (_event, name) => void created.add(name));
  const body = new FormData();
  body.append('file', new File(['x'.repeat(10_000_000)], 'big.bin'));
  const response = await fetch(`${served.url}/functions/Upload`, { method: 'POST', body, headers }).catch(
    () => undefined, // the server answers and closes the connection while the body is being sent
  );
  await setTimeout(200); // for the watcher
  watcher.close();
  return { status: response?.status, body: await response?.text(), created: [...created] };
}

it(proves('access.first', "a stranger's upload is answered with 401, and no file was ever created"), async () => {
  for (const [headers, status] of [
    [{}, 401],
    [{ 'x-api-key': 'wrong' }, 401],
    [{ 'x-api-key': keys.nobody }, 403],
  ] as const) {
    const refused = await upload(headers);
    expect(refused.created).toEqual([]);
    expect([status, undefined]).toContain(refused.status);
  }
  const taken = await upload({ 'x-api-key': keys.reader });
  expect(taken).toMatchObject({ status: 200, body: '{"result":10000000}' });
  expect(taken.created).not.toEqual([]); // so the watcher works
  expect(readdirSync(folder)).toEqual([]);
});
