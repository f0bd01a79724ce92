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

const FRAMEWORKS: Record<string, Record<string, string>> = {
  Express: {},
  Connect: {},
  NestJS: { 'app.module.js': MODULE },
  Fastify: {},
  Koa: {},
  'node:http': {},
  Hono: {},
};

describe.concurrent('the code in docs/embedding.md', () => {
  for (const [name, files] of Object.entries(FRAMEWORKS)) {
    it(proves('embed.node', `works on ${name}`), async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/api`;
      const folder = createProject({ ...files, 'server.js': block(name, port) });
      const running = await startProject(folder, [process.execPath, 'server.js'], `${url}/healthz`);
      try {
        await expectServed(url);
        expect((await fetch(`http://127.0.0.1:${port}/functions/Add`, { method: 'POST' })).status).toBe(404);
      } finally {
        await running.stop();
      }
    });
  }
});
