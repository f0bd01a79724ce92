import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApp } from 'everywire/node';
import { expect, it } from 'vitest';
import { appCommand, command } from '../kit/command.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';

const everywire = resolve('dist/bin/everywire.js');

const CREATE = `createApp({ name: 'Made', version: '1.0.0', functions: [defineFunction({
  name: 'One', description: 'Returns one', hints: { readOnly: true }, output: { type: 'integer', description: 'One' }, run: () => 1,
})] })`;

/** Modules by what they export. */
const exported: Readonly<Record<string, string>> = {
  'a promise': `export default Promise.resolve(${CREATE});`,
  'a promise, as app': `export const app = Promise.resolve(${CREATE});`,
  'a function': `export default () => ${CREATE};`,
  'an async function': `export default async function make() { return ${CREATE}; }`,
  'a function, as app': `export function app() { return ${CREATE}; }\nexport const other = (a: number) => a;`,
  'a function, after a top-level await': `const made = await ${CREATE};\nexport default async () => made;`,
};

/** A folder with one module, which finds this package. */
function folderWith(source: string): string {
  const packages = { 'node_modules/everywire': {}, 'node_modules/rolldown': {} };
  const folder = temporaryFolder('exported', {
    'package.json': '{"type":"module","dependencies":{"everywire":"0.1.0"}}',
    'package-lock.json': JSON.stringify({ packages }),
    'app.ts': `import { createApp, defineFunction } from 'everywire';\n${source}\n`,
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  return folder;
}

it.each(Object.entries(exported))(
  proves('lifecycle.exported', 'a module that exports %s is called, loaded and run'),
  async (_, source) => {
    const cwd = folderWith(source);
    expect(await command(['call', 'app.ts', 'One'], { cwd })).toMatchObject({ stdout: '{"result":1}', code: 0 });
    const module = join(cwd, 'app.ts');
    expect(await (await loadApp(pathToFileURL(module))).call('One')).toEqual({ ok: true, data: 1 });
    expect((await appCommand(module, ['one'])).stdout).toBe('{"result":1}');
  },
);

const broken = [
  ['export default () => 1;', 'exports a function that returns something else than an app, as default'],
  ['export const app = Promise.resolve(1);', 'exports a promise of something else than an app, as app'],
  ["export default () => { throw new Error('no luck'); };", 'cannot be loaded: no luck (app.ts:2'],
  ["export default Promise.reject(new Error('no luck'));", 'cannot be loaded: no luck (app.ts:2'],
  ['export default new Promise(() => {});', 'never finished loading'],
  // A function with a parameter, or of another name, is not called: it is served, as in any plain module.
  ['export const made = 1;', 'exports no app; add: export default createApp({ … }), or export a function'],
] as const;
it.each(broken)(proves('lifecycle.exported', 'one sentence says why there is no app: %s'), async (source, message) => {
  const args = ['call', 'app.ts', 'One'];
  const cwd = folderWith(source);
  // Only a process has stack traces of the source, warnings of rejections, and an end because nothing is left to wait for.
  const { stdout, stderr, code } = /throw|Promise/.test(source)
    ? await run([everywire, ...args], undefined, {}, cwd)
    : await command(args, { cwd });
  expect([stdout, code]).toEqual(['', 1]);
  // Before it, Node may warn of a rejection.
  expect(stderr).toContain(`error: app.ts ${message}`);
});
