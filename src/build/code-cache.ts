import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part, Warm } from './pack.ts';

/** A request that no function answers. */
const REQUEST = { GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: 'POST', PATH_INFO: '/functions/', CONTENT_LENGTH: '0' };

const PATIENCE = 10_000;

/** Loaded before the build, to which it is a place to leave its scripts. */
const WATCH = `
const { writeFileSync } = require('node:fs');
const result = process.env.EVERYWIRE_WATCHED;
delete process.env.EVERYWIRE_WATCHED;
globalThis.everywireScripts = new Map();
process.on('exit', () => {
  const made = [...globalThis.everywireScripts].map(([names, script]) => [names, script.createCachedData().toString('base64')]);
  writeFileSync(result, JSON.stringify(made));
});
`;

type Made = readonly (readonly [names: readonly string[], cache: string])[];

/** Which modules of a built file are needed together. An app that does not end in time says nothing. */
export async function groupsOf(
  file: string,
  parts: readonly Part[],
): Promise<readonly [cgi: ReadonlySet<string>, mcp: ReadonlySet<string>]> {
  const modules = new Map(parts.map((part) => [part.name, part.modules]));
  const [cgi, mcp] = await runBoth(file);
  const used = (made: Made) => new Set(made.flatMap(([names]) => names.flatMap((name) => modules.get(name) ?? [])));
  return [used(cgi), used(mcp)];
}

/**
 * What V8 makes of the scripts of a built file when it runs: code that need not be compiled at every start by the same
 * version of Node.
 */
export async function cachesOf(file: string): Promise<Warm['caches']> {
  const [cgi, mcp] = await runBoth(file);
  return Object.fromEntries([...mcp, ...cgi].map(([names, cache]) => [names[0]!, cache]));
}

async function runBoth(file: string): Promise<readonly [cgi: Made, mcp: Made]> {
  const folder = await mkdtemp(join(tmpdir(), 'everywire-warm-'));
  try {
    const watch = join(folder, 'watch.cjs');
    await writeFile(watch, WATCH);
    const made = async (name: string, args: readonly string[], env: Record<string, string>) => {
      const result = join(folder, name);
      await run(['--require', watch, file, ...args], { ...env, EVERYWIRE_WATCHED: result });
      return JSON.parse(await readFile(result, 'utf8').catch(() => '[]')) as Made;
    };
    // An MCP server whose input has ended loads all that it needs before it notices.
    return [await made('cgi', [], REQUEST), await made('mcp', ['mcp'], {})];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: 'ignore',
      env: { ...process.env, ...env },
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
