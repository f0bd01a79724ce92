import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadApp } from 'everywire/node';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { exported, folderWith } from './exported.ts';

const everywire = resolve('dist/bin/everywire.js');

it.each(['a promise', 'an async function', 'a function, after a top-level await'])(
  proves('lifecycle.exported', '%s is built and compared'),
  async (what) => {
    const folder = folderWith(exported[what]!);
    const inFolder = (...args: string[]) => run(args, undefined, {}, folder);
    expect(await inFolder(everywire, 'build', 'app.ts')).toMatchObject({ code: 0, stderr: '' });
    expect((await inFolder('app.built.mjs', 'one')).stdout).toBe('{"result":1}');
    // From now on the build is loaded in the place of the module.
    const parity = await inFolder(everywire, 'parity', 'app.ts', '--calls', '5');
    expect([parity.code, parity.stdout]).toEqual([0, expect.stringContaining('all alike')]);
    const fromBuild = await loadApp(join(folder, 'app.built.mjs'));
    expect(await fromBuild.call('One')).toEqual({ ok: true, data: 1 });
  },
  180_000,
);

it(proves('lifecycle.exported', 'a function is put into a container'), async () => {
  const folder = folderWith(exported['a function']!);
  const made = await run([everywire, 'containerize', 'app.ts', '--dockerfile-only'], undefined, {}, folder);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote Dockerfile') });
  expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('Made');
});
