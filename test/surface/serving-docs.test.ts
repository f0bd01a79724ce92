import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canCertify } from '../kit/certificates.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

// docs/serving.md, as a reader would type it: the certificate is made, the app is served, and the transcripts are compared.

const page = readFileSync('docs/serving.md', 'utf8');
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text);
const steps = blocks('console').flatMap((text) =>
  [...text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', output = '']) => ({ command, output })),
);

let folder: string;
let served: Served;

async function type(command: string): Promise<string> {
  const real = command.replaceAll('localhost:8443', `localhost:${new URL(served?.url ?? 'http://x:1').port}`);
  const { stdout } = await promisify(execFile)('bash', ['-c', real], { cwd: folder });
  return stdout;
}

beforeAll(async () => {
  if (!canCertify) return;
  folder = temporaryFolder('serving-docs');
  symlinkSync(resolve('examples'), join(folder, 'examples'));
  const [makeCertificate = '', serveApp = ''] = blocks('sh');
  await type(makeCertificate);
  const [, module = '', flags = ''] = /^npx everywire serve (\S+) --port 8443 (.*)\n$/.exec(serveApp) ?? [];
  const inFolder = flags.split(' ').map((word) => (word.startsWith('-') ? word : join(folder, word)));
  served = await startServing(module, ...inFolder);
});
afterAll(() => served?.stop());

it('has transcripts', () => expect(steps.length).toBeGreaterThanOrEqual(3));

it.runIf(canCertify).each(steps)(proves('http.tls', 'docs/serving.md: $command'), async ({ command, output }) => {
  const typed = await type(command);
  expect(typed.trimEnd()).toBe(output.trimEnd());
});

it(proves('cli.help', 'serve --help has the options of docs/serving.md'), async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/bin/everywire.js', 'serve', '--help']);
  for (const option of [
    '--tls-cert <file>',
    '--tls-key <file>',
    '--no-compression',
    'EVERYWIRE_TLS_CERT',
    '--workers <number>',
    'EVERYWIRE_WORKERS',
    '--store <url>',
    'EVERYWIRE_STORE',
  ])
    expect(stdout).toContain(option);
});
