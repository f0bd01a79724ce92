import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serve } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import app from '../app.ts';

// Types the commands of README.md, one after the other.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const transcripts = readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(
  /^```console\n([^]*?)^```/gm,
);
const steps = [...transcripts].flatMap(([, text = '']) =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    }),
);

let server: NodeHost;
beforeAll(async () => {
  server = await serve(app, { port: 0, env: { SHOP_STAFF: 'ada' } });
});
afterAll(() => server.drain());

it('has commands', () => expect(steps.length).toBeGreaterThan(10));

it.each(steps)('$command', async ({ command, output }) => {
  const typed = command.replaceAll('localhost:8090', new URL(server.url).host);
  const run = promisify(execFile)('bash', ['-c', typed], { cwd: root });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  expect(stdout.trimEnd()).toBe(output);
});
