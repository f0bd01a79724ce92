import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { defaultLimits } from 'everywire';
import { profileNames } from 'everywire/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modules } from '../every-wire.ts';
import { proves } from '../promises.ts';
import { startServing } from '../wires/served.ts';
import type { Served } from '../wires/served.ts';

const exec = promisify(execFile);
const read = (file: string) => readFileSync(file, 'utf8');
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').map((file) => join('docs', file)),
];

const blocks = (file: string, language: string): string[] =>
  [...read(file).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);

interface Step {
  readonly command: string;
  readonly output: string;
}

/** A transcript: a line that starts with `$` is typed, what follows is the answer. */
function stepsOf(transcript: string): Step[] {
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trimEnd() };
    });
}

/** A stranger's folder: the examples, and everywire and zod installed. */
let folder: string;
let served: Served;

beforeAll(async () => {
  // In test/, whose node_modules has the frameworks that the docs import.
  folder = await mkdtemp(join(resolve('test'), '.cache-docs-'));
  for (const name of ['examples', 'node_modules']) await symlink(resolve(name), join(folder, name));
  const [greeter = ''] = blocks('README.md', 'ts');
  await writeFile(join(folder, 'greeter.ts'), greeter);
  served = await startServing(modules.calculator, '--port', '8080').catch(() => {
    console.warn('Port 8080 is taken: the README is run with another port than it says.');
    return startServing(modules.calculator);
  });
});
afterAll(async () => {
  await exec('rm', ['-r', folder]);
  await served.stop();
});

async function type(command: string): Promise<string> {
  const asWritten = command.replaceAll('localhost:8080', new URL(served.url).host);
  const { stdout } = await exec('bash', ['-c', asWritten], { cwd: folder }).catch((error: { stdout: string }) => error);
  return stdout.replaceAll('\r\n', '\n').trimEnd();
}

describe.concurrent('transcripts, as written', () => {
  const transcribed = [
    'README.md',
    'docs/command-line.md',
    'docs/deploy-cgi.md',
    'docs/responses.md',
    'docs/client.md',
    'docs/proof.md',
  ];
  for (const page of transcribed) {
    for (const { command, output } of blocks(page, 'console').flatMap(stepsOf)) {
      it(`${page}: ${command}`, async () => expect(await type(command)).toBe(output));
    }
  }
});

it.each(['apache', 'lighttpd', 'nginx'])(
  proves('cgi.deployed', 'docs/deploy-cgi.md shows the file that is run for %s'),
  (name) => {
    expect(blocks('docs/deploy-cgi.md', name)).toEqual([read(`examples/cgi/${name}.conf`)]);
  },
);

it('code in the docs compiles, and its apps are served', async () => {
  const sources = pages.flatMap((page) => blocks(page, 'ts'));
  const files = await Promise.all(
    sources.map(async (source, i) => {
      const file = join(folder, `block${i}.ts`);
      await writeFile(file, source);
      return file;
    }),
  );
  expect(files.length).toBeGreaterThanOrEqual(10);
  await exec('node_modules/.bin/tsc', [
    '--ignoreConfig',
    '--noEmit',
    '--allowImportingTsExtensions',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    ...files,
  ]);
  const area = sources.findIndex((source) => source.includes("name: 'Area'"));
  expect(await type(`npx everywire call block${area}.ts Area --width 2 --height 3`)).toBe('{"result":6}');
});

it('links lead somewhere', () => {
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(page, '..', target)), `${page} → ${target}`).toBe(true);
    }
  }
});

it(proves('failure.codes', 'docs/codes.md is the table of the code'), async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-codes.mjs']);
  expect(read('docs/codes.md')).toBe(stdout);
});

it(proves('response.rules', 'docs/rules.md is the table of the code'), async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-rules.mjs']);
  expect(read('docs/rules.md')).toBe(stdout);
});

it('docs/reliability.md has the figures that the nets reported', async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-reliability.mjs', '--print']);
  expect(read('docs/reliability.md')).toBe(stdout);
});

it(proves('profile.bodies', 'docs/responses.md shows what a call really answers, in every profile'), async () => {
  const { stdout } = await exec(process.execPath, ['scripts/document-responses.mjs']);
  expect(read('docs/responses.md')).toBe(stdout);
  for (const name of profileNames) expect(stdout).toContain(`<b>${name}</b>`);
});

it('docs/limits.md has the defaults of the code', () => {
  const rows = [...read('docs/limits.md').matchAll(/^\| `(\w+)`\s+\| (\d+)\s+\|/gm)];
  expect(Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]))).toEqual({ ...defaultLimits });
});

it('the changelog knows the version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('CHANGELOG.md')).toContain(`## ${version}`);
});
