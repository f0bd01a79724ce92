import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caches } from './pack.ts';

/** What is run: a request over CGI that no function answers, and an MCP server whose input has ended. */
const RUNS: readonly (readonly [args: readonly string[], env: Record<string, string>])[] = [
  [['mcp'], {}],
  [[], { GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: 'POST', PATH_INFO: '/functions', CONTENT_LENGTH: '0' }],
];

const PATIENCE = 10_000;

const PROGRAM = `
const { writeFileSync } = await import('node:fs');
const { pathToFileURL } = await import('node:url');
const [file, result, ...args] = process.argv.slice(1);
globalThis.everywireScripts = new Map();
process.on('exit', () => {
  const made = [...globalThis.everywireScripts].map(([name, script]) => [name, script.createCachedData().toString('base64')]);
  writeFileSync(result, JSON.stringify(Object.fromEntries(made)));
});
process.argv = [process.execPath, file, ...args];
await import(pathToFileURL(file).href);
`;

/**
 * What V8 makes of the parts of a built file when it runs: code that need not be compiled at every start by the same
 * version of Node. An app that does not end in time goes without.
 */
export async function warm(file: string): Promise<Caches> {
  const folder = await mkdtemp(join(tmpdir(), 'everywire-warm-'));
  try {
    const made: Caches[] = [];
    for (const [args, env] of RUNS) {
      const result = join(folder, `${made.length}.json`);
      await run([file, result, ...args], env);
      made.push(JSON.parse(await readFile(result, 'utf8').catch(() => '{}')) as Caches);
    }
    return Object.assign({}, ...made) as Caches;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', ...args], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
