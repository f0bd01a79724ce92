import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

const exec = promisify(execFile);
const page = readFileSync('docs/http.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

/** The host in the transcripts of this app. */
const HOST = 'localhost:8082';
const steps = blocks('console')
  .flatMap((transcript) => transcript.split(/^\$ /m).slice(1))
  .map((step) => {
    const [command = '', ...output] = step.split('\n');
    return { command, output: output.join('\n').trimEnd() };
  })
  .filter(({ command }) => command.includes(HOST));

// In the repository, where the app finds everywire and zod.
const folder = resolve('test', `.cache-http-docs-${process.pid}`);
let served: Served;

beforeAll(async () => {
  await mkdir(folder);
  const module = join(folder, 'users.ts');
  await writeFile(
    module,
    blocks('ts').find((source) => source.startsWith('// users.ts'))!,
  );
  served = await startServing(module);
});
afterAll(async () => {
  await served.stop();
  await rm(folder, { recursive: true });
});

describe.concurrent('docs/http.md, as written', () => {
  it('has transcripts', () => expect(steps.length).toBeGreaterThan(9));

  it.each(steps)(proves('http.get', '$command'), async ({ command, output }) => {
    const { stdout } = await exec('bash', ['-c', command.replaceAll(HOST, new URL(served.url).host)]);
    expect(stdout.trimEnd()).toBe(output);
  });
});
