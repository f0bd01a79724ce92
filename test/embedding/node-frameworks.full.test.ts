import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { block, blocks } from './blocks.ts';
import { expectServed } from './expect-served.ts';
import { createProject, freePort, startProject } from './project.ts';

// The code of docs/embedding.md, on the real frameworks.

const MODULE = `
import 'reflect-metadata';
import { Module } from '@nestjs/common';
export class AppModule {}
Module({})(AppModule);
`;

interface Framework {
  readonly heading: string;
  readonly base?: string;
  /** Files that the code imports, besides the app. */
  readonly files?: Readonly<Record<string, string>>;
}

const SAME = "export { default } from './app.js';\n";

const FRAMEWORKS: readonly Framework[] = [
  { heading: 'Express' },
  { heading: 'Connect' },
  { heading: 'NestJS', files: { 'app.module.js': MODULE } },
  { heading: 'Fastify' },
  { heading: 'Koa' },
  { heading: 'node:http' },
  { heading: 'Hono' },
  { heading: 'Several apps on one port', base: '/v2', files: { 'v1.js': SAME, 'v2.js': SAME } },
];

describe.concurrent('the code in docs/embedding.md', () => {
  for (const { heading, base = '/api', files } of FRAMEWORKS) {
    it(proves('embed.node', `works: ${heading}`), async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}${base}`;
      const folder = createProject({ ...files, 'server.js': block(heading, port) });
      const running = await startProject(folder, [process.execPath, 'server.js'], `${url}/healthz`);
      try {
        await expectServed(url);
        expect((await fetch(`http://127.0.0.1:${port}/functions/Add`, { method: 'POST' })).status).toBe(404);
      } finally {
        await running.stop();
      }
    });
  }

  it('compiles, as far as it is for Node.js', async () => {
    const files = FRAMEWORKS.map(({ heading }, i) => [`${i}.js`, block(heading, 3000)] as const);
    const others = Object.assign({}, ...FRAMEWORKS.map((framework) => framework.files)) as Record<string, string>;
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

it('all code in docs/embedding.md is run by a test of this folder', () => {
  const tests = readdirSync('test/embedding').filter((file) => file.endsWith('.test.ts'));
  const sources = tests.map((file) => readFileSync(join('test/embedding', file), 'utf8')).join();
  expect(blocks.size).toBeGreaterThan(12);
  expect([...blocks.keys()].filter((heading) => !sources.includes(`'${heading}'`))).toEqual([]);
  // One block for each heading.
  expect(readFileSync('docs/embedding.md', 'utf8').match(/^```\w+$/gm)).toHaveLength(blocks.size);
});
