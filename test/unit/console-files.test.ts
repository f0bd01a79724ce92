import { readdir } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { createStaticFiles } from '../../src/console-server/static-files.ts';

vi.mock('node:fs/promises', async (load) => {
  const found = await load<typeof import('node:fs/promises')>();
  return { ...found, readdir: vi.fn(found.readdir) };
});

it('the files of the console are read again after a failure', async () => {
  const files = createStaticFiles();
  const request = { method: 'GET', target: '/console/', headers: {}, body: new Uint8Array() };
  vi.mocked(readdir).mockRejectedValueOnce(new Error('EMFILE: too many open files'));
  await expect(files('index.html', request)).rejects.toThrow('EMFILE');
  expect(await files('index.html', request)).toMatchObject({ status: 200 });
});
