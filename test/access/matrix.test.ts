import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { apiKeys, Credentials } from 'everywire/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { observe, render, type Matrix } from './matrix/matrix.ts';
import { startServing, type Served } from '../kit/served.ts';
import { legacy } from '../mcp/mcp-post.ts';

let matrix: Matrix;
beforeAll(async () => void (matrix = await observe()), 240_000);

it(proves('access.matrix', 'every wire decides alike, whatever is presented'), () => {
  const rows = [...matrix.functions, ...matrix.others];
  const different = rows.flatMap(({ presented: { title, code }, seen }) =>
    Object.entries(seen)
      .filter(([, cell]) => cell && cell.code !== code)
      .map(([wire, cell]) => `${title}, ${wire}: ${cell!.code} ${cell!.sign}`),
  );
  expect(different).toEqual([]);
  expect(rows.flatMap(({ seen }) => Object.values(seen)).filter(Boolean).length).toBeGreaterThan(200);
});

it(proves('access.matrix', 'docs/access.md has the matrix'), () => {
  expect(readFileSync('docs/access.md', 'utf8')).toContain(`\n\n${render(matrix)}\n\n`);
});

const exec = promisify(execFile);
const KEY = { 'x-api-key': 'demo-key' };
/** The host in the transcripts. */
const HOST = 'localhost:8083';
// In the repository, where the apps find everywire and zod.
const folder = resolve('test', `.cache-docs-${process.pid}`);
beforeAll(() => mkdir(folder));
afterAll(() => rm(folder, { recursive: true }));

/** The app of a page, its transcripts, and how to run one of their commands. */
function readPage(path: string, name: string) {
  const page = readFileSync(path, 'utf8');
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
  const steps = blocks('console')
    .flatMap((transcript) => transcript.split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    })
    .filter(({ command }) => command.includes(HOST));
  const run = async (command: string, { url }: Served) => {
    const { stdout } = await exec('bash', ['-c', command.replaceAll(HOST, new URL(url).host)]);
    return stdout.trimEnd();
  };
  const start = async () => {
    const module = join(folder, `${name}.ts`);
    await writeFile(module, blocks('ts').find((source) => source.startsWith(`// ${name}.ts`)) ?? blocks('ts')[0]!);
    return startServing(module);
  };
  return { blocks, steps, run, start };
}

describe.concurrent('docs/access.md, as written', () => {
  const { blocks, steps, run, start } = readPage('docs/access.md', 'notes');
  let served: Served;
  beforeAll(async () => void (served = await start()));
  afterAll(() => served.stop());

  it('has transcripts', () => expect(steps.length).toBeGreaterThan(4));

  it.each(steps)(proves('access.credentials', '$command'), async ({ command, output }) => {
    expect(await run(command, served)).toBe(output);
  });

  it(proves('access.mcp', 'has the body that is sent'), async () => {
    const [expected = ''] = blocks('json');
    const params = { name: 'functions.WriteNote' };
    const response = await legacy(served.url, { method: 'tools/call', params }, undefined, undefined, KEY);
    expect(await response.text()).toBe(expected.trim());
  });
});

it(proves('rate.limited', 'docs/rate-limits.md, as written'), async () => {
  const { steps, run, start } = readPage('docs/rate-limits.md', 'mail');
  const served = await start();
  expect(steps).toHaveLength(3);
  for (const { command, output } of steps) {
    // The calls take time.
    expect((await run(command, served)).replace(/35\d\d seconds/, '3600 seconds')).toBe(output);
  }
  await served.stop();
});

describe('docs/authenticators.md', () => {
  const { blocks } = readPage('docs/authenticators.md', 'keys');
  const idOf = (keys: Parameters<typeof apiKeys>[0], apiKey: string) =>
    apiKeys(keys).authenticate(new Credentials({ apiKey }), () => {});

  it(proves('access.keys', 'its command makes a key and its hash'), async () => {
    const { stdout } = await exec('bash', ['-c', blocks('sh')[0]!]);
    const [key = '', hash = ''] = stdout.trimEnd().split('\n');
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(idOf({ keys: { [hash]: { id: 'ci' } } }, key)).toMatchObject({ id: 'ci' });
  });

  it('its file is valid', () => {
    expect(idOf({ keys: JSON.parse(blocks('json')[0]!) as never }, 'test')).toMatchObject({ id: 'ci' });
  });
});
