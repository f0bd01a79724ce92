import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from '../kit/free-port.ts';
import { proves } from '../promises.ts';
import { expectServed } from './expect-served.ts';
import { createProject, startProject } from './project.ts';
import { runtime, type Runtime } from './runtimes.ts';
import { bundle, installedFolder, startWorker } from './worker.ts';

// The code of docs/embedding.md, in the real frameworks, their development servers, and the real runtimes.

const PAGE = readFileSync('docs/embedding.md', 'utf8');
const PACKAGES = resolve('test/embedding/node_modules');
const WORKERD = ['workerd', 'worker'];

/** The code by its heading. */
const blocks = new Map(
  PAGE.split(/^#{2,3} /m).flatMap((section) => {
    const [, code] = /^```js\n([^]*?)^```/m.exec(section) ?? [];
    return code === undefined ? [] : [[section.slice(0, section.indexOf('\n')), code] as const];
  }),
);
const run = new Set<string>();

/** The code under a heading, with a port of this run. */
function block(heading: string, port: number): string {
  const code = blocks.get(heading);
  if (code === undefined) throw new Error(`docs/embedding.md has no code under "${heading}"`);
  run.add(heading);
  return code.replaceAll('3000', String(port));
}

interface Setting {
  readonly heading: string;
  readonly base?: string;
  /** Files of the project, besides the app and the code. */
  readonly files?: Readonly<Record<string, string>>;
  readonly runtime?: Runtime;
  /** The command after the runtime; the file with the code is server.js, unless its first line names another. */
  readonly args?: (port: number) => readonly string[];
}

const MODULE = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
export class AppModule {}
Module({})(AppModule);
`;
const SAME = "export { default } from './app.js';\n";
const VITE = `
import { sveltekit } from '@sveltejs/kit/vite';
export default { plugins: [sveltekit()], server: { host: '127.0.0.1' } };
`;

const ON_NODE: readonly Setting[] = [
  { heading: 'Express' },
  { heading: 'Connect' },
  { heading: 'NestJS', files: { 'app.module.js': MODULE } },
  { heading: 'Fastify' },
  { heading: 'Koa' },
  { heading: 'node:http' },
  { heading: 'Hono' },
  { heading: 'Several apps on one port', base: '/v2', files: { 'v1.js': SAME, 'v2.js': SAME } },
];

// SvelteKit needs a newer Node.js than we do.
const newer = { runtime: 'node@24' } as const;
const bun = { runtime: 'bun@1', args: () => ['run', 'server.js'] } as const;
const deno = { runtime: 'deno@2', args: () => ['run', '-A', 'server.js'] } as const;
const denoServe = (port: number) => ['serve', '-A', '--port', String(port), 'server.js'];

const ELSEWHERE: readonly Setting[] = [
  {
    ...newer,
    heading: 'Next.js',
    // everywire is a link to this repository here.
    files: { 'next.config.js': `export default { turbopack: { root: ${JSON.stringify(resolve('.'))} } };` },
    args: (port) => [`${PACKAGES}/next/dist/bin/next`, 'dev', '--hostname', '127.0.0.1', '--port', String(port)],
  },
  {
    ...newer,
    heading: 'SvelteKit',
    files: {
      'vite.config.js': VITE,
      'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
    },
    args: (port) => [`${PACKAGES}/vite/bin/vite.js`, 'dev', '--strictPort', '--port', String(port)],
  },
  { ...bun, heading: 'Bun' },
  { ...bun, heading: 'Hono' },
  { ...bun, heading: 'export default app', base: '' },
  { ...deno, heading: 'Deno' },
  { ...deno, heading: 'Hono', args: denoServe },
  { ...deno, heading: 'export default app', args: denoServe, base: '' },
];

/** Hono in other runtimes needs no server of its own, as the page says. */
const withoutServer = (code: string) =>
  code.replace(/^import .*node-server';\n/, '').replace(/^serve\(.*$/m, 'export default server;');

async function check({ heading, base = '/api', files, runtime: name, args }: Setting, program: string): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${base}`;
  const code = name ? withoutServer(block(heading, port)) : block(heading, port);
  const [, file = 'server.js'] = /^\/\/ (\S+\.js)\n/.exec(code) ?? [];
  const folder = createProject({ ...files, [file]: `${code}\n` });
  const command = ['env', `BUN_PORT=${port}`, program, ...(args?.(port) ?? ['server.js'])];
  const running = await startProject(folder, command, `${url}/healthz`);
  try {
    await expectServed(url);
    if (base) expect((await fetch(`http://127.0.0.1:${port}/functions/Add`, { method: 'POST' })).status).toBe(404);
  } finally {
    await running.stop();
  }
}

describe.concurrent('the code in docs/embedding.md', () => {
  it.each(ON_NODE)(proves('embed.node', 'works: $heading'), (setting) => check(setting, process.execPath));

  it.for(ELSEWHERE)(proves('embed.fetch', 'works in $runtime: $heading'), async (setting, { skip }) =>
    check(setting, await runtime(setting.runtime!, skip)),
  );

  it.for([
    ['Cloudflare Workers (workerd)', '/api', '2026-10-01'],
    // Before workers had anything of Node.js.
    ['export default app', '', '2024-09-01'],
  ] as const)(proves('embed.fetch', 'works in workerd: %s'), async ([heading, base, date], { skip }) => {
    const path = await runtime('workerd@1', skip);
    const folder = installedFolder();
    const { warnings } = await bundle(folder, block(heading, 0), WORKERD);
    expect(warnings).toEqual([]);
    const worker = await startWorker(path, folder, date);
    try {
      const url = worker.url + base;
      await expectServed(url, { noAbort: 'workerd stops a worker whose client has disconnected, without telling it' });
      const greeted = await fetch(`${url}/functions/Greet`, { method: 'POST' });
      expect(await greeted.json()).toEqual({ result: 'hi' });
      const broken = await fetch(`${url}/functions/Break`, { method: 'POST' });
      expect(await broken.json()).toMatchObject({ error: expect.stringMatching(/^Something went wrong \(error id /) });
      expect(worker.log()).toContain('a secret detail');
    } finally {
      await worker.stop();
    }
  });

  it('compiles, as far as it is for Node.js', async () => {
    const files = ON_NODE.map(({ heading }, i) => [`${i}.js`, block(heading, 3000)] as const);
    const others = Object.assign({}, ...ON_NODE.map((setting) => setting.files)) as Record<string, string>;
    const folder = createProject({ ...others, ...Object.fromEntries(files) });
    const options = ['--noEmit', '--allowJs', '--checkJs', '--strict', '--skipLibCheck', '--types', 'node'];
    const target = ['--target', 'es2023', '--module', 'nodenext', '--ignoreConfig'];
    const tsc = resolve('node_modules/typescript/bin/tsc');
    try {
      await promisify(execFile)(process.execPath, [tsc, ...options, ...target, ...files.map(([name]) => name)], {
        cwd: folder,
      });
    } catch (thrown) {
      throw new Error((thrown as { stdout: string }).stdout, { cause: thrown });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('all code in docs/embedding.md was run', () => {
  expect(blocks.size).toBeGreaterThan(12);
  expect([...blocks.keys()].filter((heading) => !run.has(heading))).toEqual([]);
  // One block for each heading.
  expect(PAGE.match(/^```\w+$/gm)).toHaveLength(blocks.size);
});

it.each([
  ['a browser', []],
  ['workerd', WORKERD],
])(proves('http.fetch', 'esbuild bundles an app for %s without externals or warnings'), async (_name, conditions) => {
  const folder = installedFolder();
  const { warnings, metafile } = await bundle(folder, "export { default } from './app.js';", [...conditions]);
  expect(warnings).toEqual([]);
  const imports = Object.values({ ...metafile!.inputs, ...metafile!.outputs }).flatMap((file) => file.imports);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(({ external }) => external)).toEqual([]);
});
