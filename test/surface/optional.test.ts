import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { unpackInto } from '../kit/unpacked.ts';
import { proves } from '../promises.ts';

const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { peerDependencies: object };

/** They are for those who have the package: one is its entry, the other is what bundles for other runtimes contain. */
const EXCEPT = ['audit/opentelemetry.js', 'optional-in-bundle.js'];

it(proves('embed.node', 'no file of dist imports an optional package by its name'), () => {
  const names = Object.keys(peerDependencies).join('|');
  const literal = new RegExp(`(?:\\bfrom|\\bimport|\\brequire)\\s*\\(?\\s*["'\`](?:${names})(?:/[^"'\`]*)?["'\`]`);
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  expect(files.length).toBeGreaterThan(50);
  const found = files.filter((file) => literal.test(readFileSync(join('dist', file), 'utf8')));
  expect(found.toSorted()).toEqual(EXCEPT);
});

const CLIENT = 'node_modules/@modelcontextprotocol/client';

const SOURCE = `
import { createApp, defineFunction } from 'everywire';
import { jwt } from 'everywire/access';
import { createClient } from 'everywire/client';
import { toNodeHandler } from 'everywire/node';
const number = { type: 'number', description: 'A number' };
const app = createApp({
  name: 'Bundled', version: '1.0.0',
  functions: [defineFunction({
    name: 'Add', description: 'Adds',
    input: { type: 'object', properties: { x: number, y: number }, required: ['x', 'y'] }, output: number,
    run: ({ x, y }) => x + y,
  })],
});
const headers = { 'content-type': 'application/json' };
const response = await app.fetch(new Request('http://localhost/functions/Add', { method: 'POST', headers, body: '{"x":1,"y":2}' }));
console.log(typeof jwt, typeof toNodeHandler(app), response.status, await response.text());
console.log(await createClient('http://127.0.0.1:9/mcp').list().catch((error) => error.message));
`;

it(proves('embed.node', 'the packed package is bundled and runs without the optional packages'), async () => {
  const folder = temporaryFolder('optional');
  await unpackInto(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'app.js'), SOURCE);
  const logs: string[] = [];
  await using build = await rolldown({
    input: join(folder, 'app.js'),
    platform: 'node',
    cwd: folder,
    onLog: (_level, { code, message }) => void (code === 'UNRESOLVED_IMPORT' && logs.push(message)),
  });
  await build.write({ dir: join(folder, 'out'), format: 'esm' });
  expect(logs).toEqual([]);
  const run = async () =>
    (await promisify(execFile)(process.execPath, [join(folder, 'out/app.js')], { cwd: folder })).stdout.split('\n');
  const answer = 'function function 200 {"result":3}';
  expect(await run()).toEqual([answer, 'MCP needs a package: npm install @modelcontextprotocol/client', '']);
  // Beside the bundle, it is found.
  symlinkSync(resolve(CLIENT), join(folder, CLIENT));
  const [first, second] = await run();
  expect(first).toBe(answer);
  expect(second).not.toContain('npm install');
});
