import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part, TrialResult } from './pack.ts';

/** A request for no function, so that no user code runs. */
const REQUEST = { GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: 'POST', PATH_INFO: '/functions/', CONTENT_LENGTH: '0' };

const TRIAL_TIMEOUT = 10_000;

/** Preloaded before the built file. Collects its scripts, and writes their code caches on exit. */
const PRELOAD = `
const { writeFileSync } = require('node:fs');
const result = process.env.EVERYWIRE_WATCHED;
delete process.env.EVERYWIRE_WATCHED;
globalThis.everywireScripts = new Map();
process.on('exit', () => {
  const made = [...globalThis.everywireScripts].map(([names, script]) => [names, script.createCachedData().toString('base64')]);
  writeFileSync(result, JSON.stringify(made));
});
`;

type ScriptCaches = readonly (readonly [names: readonly string[], cache: string])[];

/** Finds the modules that CGI and MCP load. Empty for an app that does not exit in time. */
export async function findGroups(
  file: string,
  parts: readonly Part[],
): Promise<readonly [cgi: ReadonlySet<string>, mcp: ReadonlySet<string>]> {
  const modules = new Map(parts.map((part) => [part.name, part.modules]));
  const [cgi, mcp] = await runTrials(file);
  const used = (made: ScriptCaches) =>
    new Set(made.flatMap(([names]) => names.flatMap((name) => modules.get(name) ?? [])));
  return [used(cgi), used(mcp)];
}

/**
 * V8's code cache for each script of a built file, used by the same version of Node. It saves 12 of the 46 ms of a CGI
 * request, and 10 of 53 ms until an MCP server responds (`npm run bench -- --only tricks`).
 */
export async function createCaches(file: string): Promise<TrialResult['caches']> {
  const [cgi, mcp] = await runTrials(file);
  return Object.fromEntries([...mcp, ...cgi].map(([names, cache]) => [names[0]!, cache]));
}

async function runTrials(file: string): Promise<readonly [cgi: ScriptCaches, mcp: ScriptCaches]> {
  const folder = await mkdtemp(join(tmpdir(), 'everywire-build-'));
  try {
    const preload = join(folder, 'preload.cjs');
    await writeFile(preload, PRELOAD);
    const made = async (name: string, args: readonly string[], env: Record<string, string>) => {
      const result = join(folder, name);
      await run(['--require', preload, file, ...args], { ...env, EVERYWIRE_WATCHED: result });
      return JSON.parse(await readFile(result, 'utf8').catch(() => '[]')) as ScriptCaches;
    };
    // An MCP server loads everything it needs before it notices that stdin has ended.
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
      timeout: TRIAL_TIMEOUT,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
