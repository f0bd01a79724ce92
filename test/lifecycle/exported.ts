import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../kit/temporary-folder.ts';

const CREATE = `createApp({ name: 'Made', version: '1.0.0', functions: [defineFunction({
  name: 'One', description: 'Returns one', hints: { readOnly: true }, output: { type: 'integer', description: 'One' }, run: () => 1,
})] })`;

/** Modules by what they export. */
export const exported: Readonly<Record<string, string>> = {
  'a promise': `export default Promise.resolve(${CREATE});`,
  'a promise, as app': `export const app = Promise.resolve(${CREATE});`,
  'a function': `export default () => ${CREATE};`,
  'an async function': `export default async function make() { return ${CREATE}; }`,
  'a function, as app': `export function app() { return ${CREATE}; }\nexport const other = (a: number) => a;`,
  'a function, after a top-level await': `const made = await ${CREATE};\nexport default async () => made;`,
};

/** A folder with one module, which finds this package. */
export function folderWith(source: string): string {
  const folder = temporaryFolder('exported');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","dependencies":{"everywire":"0.1.0"}}');
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/everywire': {}, 'node_modules/rolldown': {} } }),
  );
  writeFileSync(join(folder, 'app.ts'), `import { createApp, defineFunction } from 'everywire';\n${source}\n`);
  return folder;
}
