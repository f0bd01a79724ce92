import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBroker } from './broker.ts';

/** How long a process that was told to end may take, in milliseconds. */
const TIME_TO_END_MS = 5000;

/** Node's cache of compiled code, which tools such as jiti ask for. The command has its own in the cache folder. */
const CACHE = 'node-compile-cache';

/**
 * Gives the run a temporary folder and a broker of its own. Whatever is in the folder at the end fails the run, and so does
 * every process that was started with it and still runs.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR'];
  // A short name: paths of sockets may have no more than about a hundred characters.
  const folder = mkdtempSync(join(tmpdir(), 'ew-'));
  chmodSync(folder, 0o1777); // as /tmp is: web servers run as other users
  process.env['TMPDIR'] = folder;
  const broker = await startBroker(folder);
  return async () => {
    await broker.close();
    const processes = await processesWith(`TMPDIR=${folder}`);
    const files = readdirSync(folder).filter((name) => name !== CACHE);
    rmSync(folder, { recursive: true, force: true });
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const left = [...processes, ...files.map((file) => join(folder, file))];
    if (left.length === 0) return;
    process.exitCode = 1;
    console.error(`\nFAILED: tests left something behind\n${left.map((one) => `  ${one}`).join('\n')}`);
  };
}

/** The processes that have this in their environment, apart from this one and its workers. Empty where there is no /proc. */
async function processesWith(variable: string): Promise<string[]> {
  for (const end = Date.now() + TIME_TO_END_MS; ; await sleep(50)) {
    const found = numbersIn('/proc').flatMap((id) => describe(id, variable) ?? []);
    if (found.length === 0 || Date.now() > end) return found;
  }
}

function numbersIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function describe(id: string, variable: string): string | undefined {
  try {
    if (!readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(variable)) return undefined;
    const { state, parent } = /\) (?<state>\w) (?<parent>\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))!.groups!;
    if (Number(parent) === process.pid || Number(id) === process.pid || state === 'Z') return undefined;
    return `process ${id}: ${readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  } catch {
    return undefined; // it has just ended, or belongs to somebody else
  }
}
