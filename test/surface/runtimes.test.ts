import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'oxc-transform';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

// What needs no other runtime than the one at hand. runtimes.full.test.ts runs the command on all of them, and
// `npm run test:matrix` all tests on every version of Node.

const exec = promisify(execFile);

/** The oldest version that package.json and the command accept. */
const OLDEST = '20.19';
const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
const scripts = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.js') && !file.startsWith('console'))
  .map((file) => join('dist', file));
const changed = (name: string, text: string) => {
  const [oldest, newest] = [`node${OLDEST}`, 'esnext'].map((target) =>
    transformSync(name, text, { lang: 'js', sourceType: 'module', target }),
  );
  return oldest!.code !== newest!.code || oldest!.errors.length > 0;
};

it(proves('runtimes', 'the package has no syntax that its oldest Node.js cannot read'), () => {
  expect(engines.node).toBe(`>=${OLDEST}`);
  expect(scripts.length).toBeGreaterThan(50);
  expect(scripts.filter((file) => changed(file, readFileSync(file, 'utf8')))).toEqual([]);
  expect(changed('newer.js', 'function f() { using file = open(); }')).toBe(true);
});

it(proves('runtimes', 'it imports only modules that every supported Node.js has'), () => {
  const added = new Set(['sea', 'sqlite', 'test/reporters', 'quic', 'ffi', 'vfs']); // later than 20.19, or behind a flag there
  const known = new Set(['test', ...builtinModules.filter((name) => !added.has(name))]);
  const imported = scripts.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()["']node:([\w/]+)["']/g)].map(([, name = '']) => name),
  );
  expect(imported.length).toBeGreaterThan(50);
  expect([...new Set(imported)].filter((name) => !known.has(name))).toEqual([]);
});

it(proves('runtimes', 'the command runs on this one, and on those that are installed already'), async () => {
  const wanted = ['node@20', 'node@22', 'node@24', 'node@26', 'bun@1', 'deno@2'];
  const { stdout: found } = await exec(process.execPath, ['scripts/runtimes.mjs', '--installed', ...wanted]);
  const programs = { here: process.execPath, ...(JSON.parse(found) as Record<string, string>) };
  const call = ['dist/bin/everywire.js', 'call', 'examples/calculator/app.ts', 'Add', '--x', '1', '--y', '2'];
  for (const [name, program] of Object.entries(programs)) {
    const { stdout } = await exec(program, [...(name === 'deno@2' ? ['run', '-A'] : []), ...call]);
    expect([name, stdout]).toEqual([name, '{"result":3}']);
  }
});
