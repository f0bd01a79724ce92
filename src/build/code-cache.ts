import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModuleError } from '../load/module-error.ts';
import type { Part, TrialResult } from './pack.ts';

/** A request for no function, so that no user code runs. */
const REQUEST = { GATEWAY_INTERFACE: 'CGI/1.1', REQUEST_METHOD: 'POST', PATH_INFO: '/functions/', CONTENT_LENGTH: '0' };

const TRIAL_TIMEOUT_MS = 30_000;

/** Preloaded before the built file. Collects its scripts, and writes their code caches on exit. */
const PRELOAD = `
const { writeFileSync } = require('node:fs');
const result = process.env.EVERYWIRE_WATCHED;
delete process.env.EVERYWIRE_WATCHED;
globalThis.everywireScripts = new Map();
// Undefined in a process that the command starts in its place, on platforms that need it.
if (result !== undefined) process.on('exit', () => {
  const made = [...globalThis.everywireScripts].map(([names, script]) => [names, script.createCachedData().toString('base64')]);
  writeFileSync(result, JSON.stringify(made));
});
`;

type ScriptCaches = readonly (readonly [names: readonly string[], cache: string])[];

/** A file that is started before the real one is written: one that cannot start must not replace one that can. */
export interface TrialFile {
  readonly path: string;
  /** The path to show to the user. */
  readonly shown: string;
}

/** The scripts that a built file loads for CGI and MCP. */
interface Trial {
  readonly cgi: ScriptCaches;
  readonly mcp: ScriptCaches;
}

/** Finds the modules that CGI and MCP load. */
export async function findGroups(
  file: TrialFile,
  parts: readonly Part[],
): Promise<readonly [cgi: ReadonlySet<string>, mcp: ReadonlySet<string>]> {
  const modules = new Map(parts.map((part) => [part.name, part.modules]));
  const { cgi, mcp } = await runTrials(file);
  const used = (made: ScriptCaches) =>
    new Set(made.flatMap(([names]) => names.flatMap((name) => modules.get(name) ?? [])));
  return [used(cgi), used(mcp)];
}

/**
 * V8's code cache for each script of a built file, used by the same version of Node. It saves 12 of the 46 ms of a CGI
 * request, and 10 of 53 ms until an MCP server responds (`npm run bench -- --only tricks`).
 */
export async function createCaches(file: TrialFile): Promise<TrialResult['caches']> {
  const { cgi, mcp } = await runTrials(file);
  return Object.fromEntries([...mcp, ...cgi].map(([names, cache]) => [names[0]!, cache]));
}

/** Starts a built file. Throws the reason if it cannot start. */
export async function runTrials(file: TrialFile): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'everywire-build-'));
  try {
    const preload = join(folder, 'preload.cjs');
    await writeFile(preload, PRELOAD);
    const made = async (name: string, args: readonly string[], env: Record<string, string>) => {
      const result = join(folder, name);
      const ran = await run(
        ['--require', preload, file.path, ...args],
        { ...env, EVERYWIRE_WATCHED: result },
        `${result}.log`,
      );
      return { ...ran, scripts: JSON.parse(await readFile(result, 'utf8').catch(() => '[]')) as ScriptCaches };
    };
    // An MCP server loads everything it needs before it notices that stdin has ended. It runs no code of a function.
    const mcp = await made('mcp', ['mcp'], {});
    if (mcp.end !== 'clean')
      throw new ModuleError(
        `the built file cannot start: ${reasonIn(mcp).replaceAll(file.path, file.shown)}\nA package that does not work in a build stays outside with --external <package>`,
      );
    // Not every app has an answer to this, such as one with tasks and without a store.
    const cgi = await made('cgi', [], REQUEST);
    return { cgi: cgi.scripts, mcp: mcp.scripts };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Ran {
  readonly end: 'clean' | 'failed' | 'killed';
  readonly stderr: string;
}

/**
 * Writes stderr to a file, since a pipe would be open for as long as the processes that an app may start. It is appended to:
 * otherwise the command would start itself again (see stdout/README.md).
 */
async function run(args: readonly string[], env: Record<string, string>, log: string): Promise<Ran> {
  const file = await open(log, 'a+');
  try {
    const end = await new Promise<Ran['end']>((resolve) => {
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'ignore', file.fd],
        env: { ...process.env, ...env },
        timeout: TRIAL_TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      child.once('error', () => resolve('failed'));
      child.once('exit', (code) => resolve(code === 0 ? 'clean' : child.killed ? 'killed' : 'failed'));
    });
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LOG), 0, MAX_LOG, 0);
    return { end, stderr: buffer.toString('utf8', 0, bytesRead) };
  } finally {
    await file.close();
  }
}

const MAX_LOG = 65_536;

/** The message of the command line about an app that cannot be loaded, without the stack. */
function reasonIn({ stderr, end }: Ran): string {
  const [, said = stderr] = /^error: (?:.*? cannot be loaded: )?([^]*)/m.exec(stderr) ?? [];
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^ {4}at /.test(line));
  const reason = lines.slice(0, MAX_LINES).join('\n');
  return reason || (end === 'killed' ? `no answer within ${TRIAL_TIMEOUT_MS / 1000} s` : 'it ended without a reason');
}

const MAX_LINES = 20;
