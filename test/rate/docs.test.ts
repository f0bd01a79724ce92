import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

const exec = promisify(execFile);
const page = readFileSync('docs/rate-limits.md', 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';
const HOST = 'localhost:8083';

// In the repository, where the app finds everywire and zod.
const folder = resolve('test', `.cache-rate-docs-${process.pid}`);
let served: Served;

beforeAll(async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'mail.ts'), block('ts'));
  served = await startServing(join(folder, 'mail.ts'));
});
afterAll(async () => {
  await served.stop();
  await rm(folder, { recursive: true });
});

it(proves('rate.limited', 'docs/rate-limits.md, as written'), async () => {
  const steps = block('console').split(/^\$ /m).slice(1);
  expect(steps).toHaveLength(3);
  for (const step of steps) {
    const [command = '', ...output] = step.trimEnd().split('\n');
    const { stdout } = await exec('bash', ['-c', command.replaceAll(HOST, new URL(served.url).host)]);
    // The calls take time.
    expect(stdout.trimEnd().replace(/35\d\d seconds/, '3600 seconds')).toBe(output.join('\n'));
  }
});
