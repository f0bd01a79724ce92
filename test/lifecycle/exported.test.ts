import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApp } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const CREATE = `createApp({ name: 'Made', version: '1.0.0', functions: [defineFunction({
  name: 'One', description: 'Returns one', hints: { readOnly: true }, output: { type: 'integer', description: 'One' }, run: () => 1,
})] })`;

const exported: Readonly<Record<string, string>> = {
  'a promise': `export default Promise.resolve(${CREATE});`,
  'a promise, as app': `export const app = Promise.resolve(${CREATE});`,
  'a function': `export default () => ${CREATE};`,
  'an async function': `export default async function make() { return ${CREATE}; }`,
  'a function, as app': `export function app() { return ${CREATE}; }\nexport const other = (a: number) => a;`,
  'a function, after a top-level await': `const made = await ${CREATE};\nexport default async () => made;`,
};

/** A folder with one module, which finds this package. */
function folderWith(source: string, name = 'app.ts'): string {
  const folder = temporaryFolder('exported');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","dependencies":{"everywire":"0.1.0"}}');
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/everywire': {}, 'node_modules/rolldown': {} } }),
  );
  writeFileSync(join(folder, name), `import { createApp, defineFunction } from 'everywire';\n${source}\n`);
  return folder;
}

function run(cwd: string, ...args: readonly string[]): Promise<{ stdout: string; stderr: string; code: number }> {
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) =>
      done({ stdout, stderr, code: error ? Number(error.code) : 0 }),
    );
  });
}

const everywire = resolve('dist/bin/everywire.js');

describe.concurrent('a module that exports', () => {
  it.each(Object.entries(exported))(proves('lifecycle.exported', '%s is called, loaded and run'), async (_, source) => {
    const folder = folderWith(source);
    expect(await run(folder, everywire, 'call', 'app.ts', 'One')).toMatchObject({ stdout: '{"result":1}', code: 0 });
    const app = await loadApp(pathToFileURL(join(folder, 'app.ts')));
    expect(await app.call('One')).toEqual({ ok: true, data: 1 });
    const command =
      "import { run } from 'everywire/node';\nawait run(new URL('./app.ts', import.meta.url), process.argv);";
    writeFileSync(join(folder, 'command.mjs'), command);
    expect((await run(folder, 'command.mjs', 'one')).stdout).toBe('{"result":1}');
  });

  it.each(['a promise', 'an async function', 'a function, after a top-level await'])(
    proves('lifecycle.exported', '%s is built and compared'),
    async (what) => {
      const folder = folderWith(exported[what]!);
      expect(await run(folder, everywire, 'build', 'app.ts')).toMatchObject({ code: 0, stderr: '' });
      expect((await run(folder, 'app.built.mjs', 'one')).stdout).toBe('{"result":1}');
      // From now on the build is loaded in the place of the module.
      const parity = await run(folder, everywire, 'parity', 'app.ts', '--calls', '5');
      expect([parity.code, parity.stdout]).toEqual([0, expect.stringContaining('all alike')]);
      const fromBuild = await loadApp(join(folder, 'app.built.mjs'));
      expect(await fromBuild.call('One')).toEqual({ ok: true, data: 1 });
    },
    180_000,
  );

  it(proves('lifecycle.exported', 'a function is put into a container'), async () => {
    const folder = folderWith(exported['a function']!);
    const made = await run(folder, everywire, 'containerize', 'app.ts', '--dockerfile-only');
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('Wrote Dockerfile') });
    expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('Made');
  });
});

describe.concurrent('one sentence says why there is no app:', () => {
  const broken: readonly (readonly [string, string, string])[] = [
    [
      'a function that returns something else',
      'export default () => 1;',
      'app.ts exports a function that returns something else than an app, as default',
    ],
    [
      'a promise of something else',
      'export const app = Promise.resolve(1);',
      'app.ts exports a promise of something else than an app, as app',
    ],
    [
      'a function that throws',
      "export default () => { throw new Error('no luck'); };",
      'app.ts cannot be loaded: no luck (app.ts:2',
    ],
    [
      'a promise that rejects',
      "export default Promise.reject(new Error('no luck'));",
      'app.ts cannot be loaded: no luck (app.ts:2',
    ],
    ['a promise that never settles', 'export default new Promise(() => {});', 'app.ts never finished loading'],
    // A function with a parameter, or of another name, is not called: it is served, as in any plain module.
    [
      'neither an app nor a function',
      'export const made = 1;',
      'app.ts exports no app; add: export default createApp({ … }), or export a function',
    ],
  ];
  it.each(broken)(proves('lifecycle.exported', '%s'), async (_what, source, message) => {
    const { stdout, stderr, code } = await run(folderWith(source), everywire, 'call', 'app.ts', 'One');
    expect([stdout, code]).toEqual(['', 1]);
    // Before it, Node may warn of a rejection.
    expect(stderr).toContain(`error: ${message}`);
  });
});
