import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

const root = resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder('copies');
  // Each side has its own copy of the package in node_modules.
  for (const side of ['server', 'client']) {
    const copy = join(folder, side, 'node_modules/everywire');
    await mkdir(copy, { recursive: true });
    await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
    // TypeScript treats two installed copies of one version as the same files.
    const facts = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object;
    const version = side === 'client' ? '9.9.9' : '9.9.8';
    await writeFile(join(copy, 'package.json'), JSON.stringify({ ...facts, version }));
    for (const name of ['@standard-schema', '@modelcontextprotocol', '@types', 'zod'])
      await symlink(join(root, 'node_modules', name), join(folder, side, 'node_modules', name));
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'server/app.ts'), SERVER);
  await writeFile(join(folder, 'client/main.ts'), CLIENT);
  const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] };
  const compilerOptions = { target: 'esnext', module: 'nodenext', allowImportingTsExtensions: true, ...strict };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client/main.ts'] }));
});

const SERVER = `
import { createApp, defineFunction } from 'everywire';
import { z } from 'zod';
const add = defineFunction({
  name: 'Add',
  description: 'Adds.',
  input: z.object({ x: z.number().describe('One.'), y: z.number().optional().describe('Another.') }),
  output: z.number().describe('The sum.'),
  errors: { TOO_LARGE: { status: 422, description: 'Too large.' } },
  run: ({ x, y = 0 }) => x + y,
});
const ping = defineFunction({
  name: 'Ping',
  description: 'Pings.',
  output: { type: 'string', description: 'Pong.' },
  run: () => 'pong',
});
export default createApp({ name: 'S', version: '1', functions: [add, ping] });
`;

/** Lines that must not compile have @ts-expect-error; an unused one is an error as well. */
const CLIENT = `
import { createClient, type Client } from 'everywire/client';
import type app from '../server/app.ts';
const client = createClient<typeof app>('http://localhost');
const sum = await client.call('Add', { x: 1 });
if (sum.ok) {
  const data: number = sum.data;
  // @ts-expect-error a number is not a string
  const text: string = sum.data;
  void [data, text];
} else {
  const isKnown = sum.error.code === 'TOO_LARGE' || sum.error.code === 'TIMEOUT';
  // @ts-expect-error no function has this code
  const isUnknown = sum.error.code === 'NO_SUCH_CODE';
  void [isKnown, isUnknown];
}
const pong = await client.call('Ping');
if (pong.ok) pong.data.toUpperCase();
// @ts-expect-error it may have failed
void pong.data;
// @ts-expect-error no such function
await client.call('Subtract');
// @ts-expect-error x is missing
await client.call('Add');
// @ts-expect-error x is not a string
await client.call('Add', { x: 'one' });
// @ts-expect-error there is no z
await client.call('Add', { x: 1, z: 1 });
const any: Client = createClient('http://localhost');
const answer = await any.call('Whatever', { a: 1 });
// @ts-expect-error unknown data is unknown
if (answer.ok) answer.data.length;
`;

it(proves('client.types', 'work if client and server have separate copies of the package'), async () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const errors = await promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
  expect(errors).toBe('');
});
