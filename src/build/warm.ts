import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Warm } from './pack.ts';

/** A request that no function answers. */
const REQUEST = { GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: 'POST', PATH_INFO: '/functions/', CONTENT_LENGTH: '0' };

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
export async function warm(file: string): Promise<Warm> {
  const folder = await mkdtemp(join(tmpdir(), 'everywire-warm-'));
  try {
    const made = async (args: readonly string[], env: Record<string, string>) => {
      const result = join(folder, 'made.json');
      await rm(result, { force: true });
      await run([file, result, ...args], env);
      return JSON.parse(await readFile(result, 'utf8').catch(() => '{}')) as Record<string, string>;
    };
    // An MCP server whose input has ended loads all that it needs before it notices.
    const [mcp, cgi] = [await made(['mcp'], {}), await made([], REQUEST)];
    return { caches: { ...mcp, ...cgi }, urgent: new Set(Object.keys(cgi)) };
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
