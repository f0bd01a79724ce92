import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { isUserError } from '../../load/module-error.ts';
import { compareWires } from '../../proof/parity.ts';
import type { Difference, ParityReport } from '../../proof/parity.ts';
import { openWires } from '../../proof/parity-wires.ts';
import { environmentOf } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { quoted } from '../../wires/cli/flag-example.ts';
import { loadModule } from '../load-module.ts';
import { stopAndEnd } from '../end-process.ts';
import { startApp } from '../start-app.ts';
import type { Process } from '../process.ts';
import { describeThrown, surviveUncaught } from '../uncaught.ts';

export interface ParityRun {
  readonly calls: number;
  readonly seed: number;
  readonly all: boolean;
  readonly json: boolean;
  readonly environment: EnvironmentFlags;
  /** The same as command-line arguments. */
  readonly flags: readonly string[];
  /** The caller's credential, on every wire. */
  readonly token: string | undefined;
}

/** At most so many calls go to wires that start a process for each call, which is slow. */
const COSTLY_CALLS = 10;

/** Exit codes: 0 all responses are equal, 1 some differ, 2 nothing could be called. */
export async function checkParity(proc: Process, module: string, run: ParityRun): Promise<void> {
  const { write } = proc.claimStdoutSync();
  const environment = await environmentOf(proc, run.environment);
  const app = await orEnd(proc, () => loadModule(proc, module));
  if (!app) return;
  surviveUncaught(proc);
  const functions = app.functions.filter((fn) => run.all || isSafeToCall(fn));
  if (functions.length === 0) return endUnable(proc, nothingToCall(app));
  if (!(await orEnd(proc, async () => startApp(proc, app, environment).then(() => true)))) return;
  // If a function ends the process, that must not look like a run without differences.
  const stop = proc.on('exit', (code) => {
    proc.printError(`a function ended the process (exit code ${code}); the calls were not compared`);
    return 1;
  });
  try {
    const { report, text } = await compare(proc, app, functions, module, run);
    stop();
    const isRefused = report.refused.length > 0;
    if (isRefused) proc.printError(refusedCalls(report, run.token));
    const code = isRefused && report.successes === 0 ? 2 : report.differences.length > 0 ? 1 : 0;
    write(`${text}\n`, () => void stopAndEnd(proc, app, code));
  } catch (thrown) {
    stop();
    // A bug of ours. Servers and child processes are still running, and would keep this process alive.
    proc.printError(describeThrown(thrown));
    await stopAndEnd(proc, app, 70);
  }
}

async function compare(
  proc: Process,
  app: App,
  functions: readonly RegisteredFunction[],
  module: string,
  run: ParityRun,
) {
  const wires = await openWires({
    app,
    // The same program as this process.
    command: proc.program,
    module,
    flags: run.flags,
    environment: await environmentOf(proc, run.environment),
    token: run.token,
  });
  const { calls, seed } = run;
  const report = await compareWires({
    functions,
    wires,
    calls,
    seed,
    costlyCalls: Math.min(COSTLY_CALLS, Math.ceil(calls / 10)),
  });
  await Promise.all(wires.map((wire) => wire.close()));
  const skipped = app.functions.filter((fn) => !functions.includes(fn)).map(({ name }) => name);
  const facts = { app: `${app.name} v${app.version}`, seed, functions: functions.map(({ name }) => name), skipped };
  const named = { ...facts, wires: wires.map(({ name }) => name), ...report };
  return { report, text: run.json ? JSON.stringify(named, null, 2) : describeResult(named, module) };
}

/** Without --all, only functions that are annotated as read-only or idempotent are called. */
function isSafeToCall({ definition: { hints = {} } }: RegisteredFunction): boolean {
  return hints.readOnly === true || (hints.idempotent === true && hints.destructive !== true);
}

/** An app that cannot be loaded or started exits with 2, not 1: it is not a difference between wires. */
async function orEnd<T>(proc: Process, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (!isUserError(error)) throw error;
    endUnable(proc, error.message);
    return undefined;
  }
}

function endUnable(proc: Process, message: string): void {
  proc.printError(message);
  proc.end(2);
}

function nothingToCall({ name, functions }: App): string {
  if (functions.length === 0) return `${name} has no functions`;
  return (
    `no function of ${name} is annotated as read-only or idempotent, so none is called.\n` +
    'Add hints: { readOnly: true } to those that change nothing, or call all of them with --all'
  );
}

function refusedCalls({ refused, successes }: ParityReport, token: string | undefined): string {
  const none = successes === 0 ? 'no call succeeded, and ' : '';
  const why =
    token === undefined
      ? 'There are access rules, and no credential is given'
      : 'The given credential may not call them';
  return (
    `${none}calls of ${listed(refused)} were refused.\n` +
    `${why}: ` +
    'put a token or API key into EVERYWIRE_TOKEN, or into a file for --token-file <file>'
  );
}

interface NamedReport extends ParityReport {
  readonly app: string;
  readonly seed: number;
  readonly functions: readonly string[];
  readonly skipped: readonly string[];
  readonly wires: readonly string[];
}

function describeResult(report: NamedReport, module: string): string {
  const { app, seed, functions, skipped, wires, calls, answers, successes, differences, unsteady } = report;
  const lines = [
    `${app}: ${calls} calls of ${listed(functions)}, ${successes} of them successful`,
    `${answers} answers on ${wires.length} wires: ${wires.join(', ')}`,
  ];
  if (skipped.length > 0) lines.push(`not called, since not annotated as read-only or idempotent: ${listed(skipped)}`);
  if (unsteady.length > 0) lines.push(`not compared, since each call is answered differently: ${unsteady.join(', ')}`);
  for (const difference of differences) lines.push(...describe(difference, module));
  const again = `repeat with --seed ${seed}`;
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  return [...lines, differences.length === 0 ? `all alike (${again})` : `${count} (${again})`].join('\n');
}

function describe({ function: name, input, wire, what, expected, got }: Difference, module: string): string[] {
  const given = input === undefined ? '' : ` --input ${quoted(JSON.stringify(input))}`;
  return [
    '',
    `another ${what} on ${wire}:`,
    `  everywire call ${quoted(module)} ${name}${given} --json`,
    `  in process: ${cut(expected)}`,
    `  there:      ${cut(got)}`,
    '',
  ];
}

/** Prints the count instead of a long list. */
const listed = (names: readonly string[]) => (names.length > 20 ? `${names.length} functions` : names.join(', '));

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
