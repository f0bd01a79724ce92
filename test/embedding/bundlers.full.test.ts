import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { canContain, contain, execute, runStep } from '../dockerfile/execute.ts';
import { parseDockerfile } from '../dockerfile/parse.ts';
import { asJson } from '../kit/as-json.ts';
import { shared } from '../kit/broker.ts';
import { freePort } from '../kit/free-port.ts';
import { untilServing } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { expectServed } from './expect-served.ts';
import { startProject } from './project.ts';
import { runtime } from './runtimes.ts';
import { startWorker } from './worker.ts';

// The packed package in an empty folder, as a user has it, without the optional packages: bundled for production, and started.

const SERVER = `
import { createServer } from 'node:http';
import { jwt } from 'everywire/access';
import { createClient } from 'everywire/client';
import { toNodeHandler } from 'everywire/node';
import app from './app.js';
if (![jwt, createClient].every((one) => typeof one === 'function')) throw new Error('something is missing');
createServer(toNodeHandler(app)).listen(Number(process.env.PORT), '127.0.0.1');
`;
const ROLLUP = `
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
const plugins = [nodeResolve({ exportConditions: ['node'], preferBuiltins: true }), commonjs(), json()];
export default { input: 'server.js', output: { format: 'es' }, plugins };
`;
const ROUTE = `
import app from '../../../app.js';
const handle = (request) => app.fetch(request, { base: '/api' });
export { handle as GET, handle as HEAD, handle as POST, handle as DELETE, handle as OPTIONS };
`;

const exec = promisify(execFile);
let project: string;

/** Copies the packages that are not there yet. Links to files cost nothing, but are impossible from one disk to another. */
async function copyModules(from: string, to: string, inner = ''): Promise<void> {
  mkdirSync(join(to, inner), { recursive: true });
  const missing: string[] = [];
  for (const name of readdirSync(join(from, inner)).map((one) => join(inner, one))) {
    if (!existsSync(join(to, name))) missing.push(join(from, name));
    else if (/^(?:\.bin|@[^/]+)$/.test(name)) await copyModules(from, to, name);
  }
  if (missing.length === 0) return;
  await exec('cp', ['-RPl', ...missing, join(to, inner)]).catch(() => exec('cp', ['-RP', ...missing, join(to, inner)]));
}

beforeAll(async () => {
  const { folder } = await shared('installed');
  project = temporaryFolder('bundlers', {
    'package.json': '{"private":true,"type":"module"}',
    'app.js': readFileSync('test/embedding/app.js', 'utf8'),
    'server.js': SERVER,
    'worker.js': "export { default } from './app.js';",
    'app/api/[...path]/route.js': ROUTE,
    'next.config.js': 'export default { distDir: process.env.OUT };',
    'rollup.config.js': ROLLUP,
    'vite.config.js': 'export default { ssr: { noExternal: true } };',
  });
  const modules = join(project, 'node_modules');
  await copyModules(resolve('test/embedding/bundlers/node_modules'), modules);
  await copyModules(join(folder, 'node_modules'), modules);
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { peerDependencies: object };
  const found = Object.keys(peerDependencies).filter((name) => existsSync(join(modules, name)));
  expect(found).toEqual(['rolldown', 'typescript']);
}, 180_000);

/** Runs a bundler in the project. What it cannot resolve is at least a warning. */
async function bundle([program = '', ...args]: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const options = { cwd: project, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...env } };
  const { stdout, stderr } = await exec(program, args, options);
  expect(stdout + stderr).not.toMatch(
    /(?:can't|cannot|could not|unable to|failed to) resolve|Critical dependency|is not exported|unresolved/i,
  );
}

const tool = (name: string) => join(project, 'node_modules/.bin', name);

const ESBUILD = ['esbuild', 'server.js', '--bundle', '--platform=node'];

describe('an app that is bundled from the packed package', () => {
  it.each<[name: string, command: string[], file: string]>([
    ['esbuild', [...ESBUILD, '--outfile=$OUT/server.cjs'], 'server.cjs'],
    ['esbuild, ES modules', [...ESBUILD, '--format=esm', '--splitting', '--outdir=$OUT'], 'server.js'],
    ['rolldown', ['rolldown', 'server.js', '--platform', 'node', '-d', '$OUT'], 'server.js'],
    ['rollup', ['rollup', '-c', '-d', '$OUT'], 'server.js'],
    ['vite build --ssr', ['vite', 'build', '--ssr', 'server.js', '--outDir', '$OUT'], 'server.js'],
  ])(proves('embed.node', 'runs where no package is: %s'), async (_name, [name = '', ...args], file) => {
    const out = temporaryFolder('out');
    await bundle([tool(name), ...args.map((word) => word.replace('$OUT', out))]);
    writeFileSync(join(out, 'package.json'), '{"type":"module"}');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const running = await startProject(out, ['env', `PORT=${port}`, process.execPath, file], `${url}/healthz`);
    await expectServed(url).finally(() => running.stop());
  });

  it(proves('embed.node', 'runs where no package is: bun build'), async ({ skip }) => {
    const bun = await runtime('bun@1', skip);
    const out = temporaryFolder('out');
    await bundle([bun, 'build', 'server.js', '--target=bun', '--outdir', out]);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const running = await startProject(out, ['env', `PORT=${port}`, bun, 'server.js'], `${url}/healthz`);
    await expectServed(url).finally(() => running.stop());
  });

  it(proves('embed.fetch', 'runs in workerd, with the settings of wrangler'), async ({ skip }) => {
    const workerd = await runtime('workerd@1', skip);
    const out = temporaryFolder('out');
    const conditions = '--conditions=workerd,worker,browser';
    const target = ['--format=esm', '--target=es2024', conditions, `--outfile=${out}/bundle.js`];
    await bundle([tool('esbuild'), 'worker.js', '--bundle', ...target]);
    const worker = await startWorker(workerd, out, '2026-10-01');
    const noAbort = 'workerd stops a worker whose client has disconnected, without telling it';
    await expectServed(worker.url, { noAbort }).finally(() => worker.stop());
  });

  it.each(['--turbopack', '--webpack'])(proves('embed.fetch', 'runs in Next.js: next build %s'), async (flag) => {
    const OUT = `out${flag}`;
    const next = tool('next');
    await bundle([next, 'build', flag], { OUT });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/api`;
    const start = [next, 'start', '--hostname', '127.0.0.1', '--port', String(port), project];
    const settings = [`OUT=${OUT}`, 'NODE_ENV=production'];
    const running = await startProject(temporaryFolder('cwd'), ['env', ...settings, ...start], `${url}/healthz`);
    await expectServed(url).finally(() => running.stop());
  });
});

const SQL = `
import Database from 'better-sqlite3';

const database = new Database(':memory:');

/**
 * Adds two numbers
 * @param x First
 * @param y Second
 * @returns The sum
 */
export function Add(x: number, y: number): number {
  return (database.prepare('select ? + ? as sum').get(x, y) as { sum: number }).sum;
}
`;

it(proves('build.externals', 'better-sqlite3: the Dockerfile of init makes an image that runs'), async ({ skip }) => {
  const isInstalled = existsSync(join(project, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'));
  if (!isInstalled && process.env['CI'] !== 'true') skip('better-sqlite3 could not be compiled');
  const folder = temporaryFolder('image');
  const context = join(folder, 'sums');
  await exec(tool('everywire'), ['init', context, '--docker', '--yes']);
  writeFileSync(join(context, 'src/sums.ts'), SQL);
  writeFileSync(join(context, 'package-lock.json'), '{}');
  const { stages } = parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  let said = '';
  const image = await execute({ args: {}, stages }, context, folder, async (words, cwd, env) => {
    if (words.join(' ') === 'npm ci') return copyModules(join(project, 'node_modules'), join(cwd, 'node_modules'));
    const { stderr } = (await runStep(words, cwd, env)) as { stderr: string };
    return void (said += stderr);
  });
  expect(said).toMatch(/^ {2}better-sqlite3 [\d.]+ \(native code\)$/m);
  expect(readdirSync(join(image.root, 'app')).toSorted()).toEqual(['app.mjs', 'node_modules']);
  expect(readdirSync(join(image.root, 'app/node_modules'))).not.toContain('everywire');
  skip(!canContain, 'needs root, and leave to unshare');
  const { child } = contain(image, image.command, { EVERYWIRE_PORT: '0' });
  try {
    const port = new URL((await untilServing(child)).url).port;
    const response = await fetch(`http://127.0.0.1:${port}/functions/Add`, asJson({ x: 1, y: 2 }));
    expect(await response.text()).toBe('{"result":3}');
  } finally {
    child.kill('SIGKILL');
  }
});
