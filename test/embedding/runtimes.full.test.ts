import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { block } from './blocks.ts';
import { expectServed } from './expect-served.ts';
import { createProject, freePort, startProject } from './project.ts';
import { runtime } from './runtimes.ts';
import type { Runtime } from './runtimes.ts';
import { bundle, installedFolder, startWorker } from './worker.ts';

// The code of docs/embedding.md, in the real runtimes.

const WORKERD = ['workerd', 'worker'];

const greet = async (url: string) => (await fetch(`${url}/functions/Greet`, { method: 'POST' })).json();

interface Setting {
  readonly runtime: Runtime;
  readonly heading: string;
  /** The command after the runtime. */
  readonly args: (port: number) => readonly string[];
  readonly base: string;
}

const bun = { runtime: 'bun@1', args: () => ['run', 'server.js'] } as const;
const deno = { runtime: 'deno@2', args: () => ['run', '-A', 'server.js'] } as const;
const denoServe = (port: number) => ['serve', '-A', '--port', String(port), 'server.js'];

const SETTINGS: readonly Setting[] = [
  { ...bun, heading: 'Bun', base: '/api' },
  { ...bun, heading: 'Hono', base: '/api' },
  { ...bun, heading: 'export default app', base: '' },
  { ...deno, heading: 'Deno', base: '/api' },
  { ...deno, heading: 'Hono', args: denoServe, base: '/api' },
  { ...deno, heading: 'export default app', args: denoServe, base: '' },
];

/** Hono in these runtimes needs no server of its own, as the page says. */
const withoutServer = (code: string) =>
  code.replace(/^import .*node-server';\n/, '').replace(/^serve\(.*$/m, 'export default server;');

describe.concurrent('the code in docs/embedding.md', () => {
  for (const { runtime: name, heading, args, base } of SETTINGS) {
    it(proves('embed.fetch', `works in ${name}: ${heading}`), async ({ skip }) => {
      const path = await runtime(name, skip);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}${base}`;
      const code = `${withoutServer(block(heading, port))}\n`;
      const folder = createProject({ 'server.js': code });
      const command = ['env', `BUN_PORT=${port}`, path, ...args(port)];
      const running = await startProject(folder, command, `${url}/healthz`);
      try {
        await expectServed(url);
        expect(await greet(url)).toEqual({ result: 'no greeting' });
      } finally {
        await running.stop();
      }
    });
  }

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
      expect(await greet(url)).toEqual({ result: 'hi' });
      const broken = await fetch(`${url}/functions/Break`, { method: 'POST' });
      expect(await broken.json()).toMatchObject({ error: expect.stringMatching(/^Something went wrong \(error id /) });
      expect(worker.log()).toContain('a secret detail');
    } finally {
      await worker.stop();
    }
  });
});

it.each([
  ['a browser', []],
  ['workerd', WORKERD],
])(
  proves('http.fetch', 'esbuild bundles an app for %s without an external or a warning'),
  async (_name, conditions) => {
    const folder = installedFolder();
    const { warnings, metafile } = await bundle(folder, "export { default } from './app.js';", [...conditions]);
    expect(warnings).toEqual([]);
    const imports = Object.values({ ...metafile!.inputs, ...metafile!.outputs }).flatMap((file) => file.imports);
    expect(imports.length).toBeGreaterThan(10);
    expect(imports.filter(({ external }) => external)).toEqual([]);
  },
);
