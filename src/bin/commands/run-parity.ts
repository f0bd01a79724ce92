import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { isForPeople } from '../../load/module-error.ts';
import { compareWires } from '../../proof/parity.ts';
import type { Difference, ParityReport } from '../../proof/parity.ts';
import { openWires } from '../../proof/parity-wires.ts';
import { environmentOf } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { quoted } from '../../wires/cli/flag-example.ts';
import { loadModule } from '../load-module.ts';
import { claimStdoutSync } from '../../stdout/claim.ts';
import { reasonOf, surviveStrays } from '../uncaught.ts';
import { printError } from '../../stdout/stderr.ts';

export interface ParityRun {
  readonly calls: number;
  readonly seed: number;
  readonly all: boolean;
  readonly json: boolean;
  readonly environment: EnvironmentFlags;
  /** The same as it was typed. */
  readonly flags: readonly string[];
}

/** At most so many calls go to the wires that start a process for each: they take most of the time. */
const COSTLY_CALLS = 10;

/** Exits with 0 when all answers are alike, 1 when some are not, 2 when nothing could be called. */
export async function checkParity(module: string, run: ParityRun): Promise<void> {
  const { write } = claimStdoutSync();
  const app = await load(module);
  surviveStrays();
  const functions = app.functions.filter((fn) => run.all || isHarmless(fn));
  if (functions.length === 0) refuse(nothingToCall(app));
  process.on('exit', complainOfExit);
  try {
    const { report, text } = await compare(app, functions, module, run);
    process.off('exit', complainOfExit);
    write(`${text}\n`, () => process.exit(report.differences.length > 0 ? 1 : 0));
  } catch (thrown) {
    process.off('exit', complainOfExit);
    // A fault of ours. Servers and processes are running, which would keep this one for ever.
    printError(reasonOf(thrown));
    process.exit(70);
  }
}

/** A function that ends the process must not look like a run without differences. */
function complainOfExit(code: number): void {
  printError(`a function ended the process (exit code ${code}); the calls were not compared`);
  process.exitCode = 1;
}

async function compare(app: App, functions: readonly RegisteredFunction[], module: string, run: ParityRun) {
  const wires = await openWires({
    app,
    // As this command was started.
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? 'everywire'],
    module,
    flags: run.flags,
    environment: await environmentOf(run.environment),
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
  return { report, text: run.json ? JSON.stringify(named, null, 2) : inWords(named, module) };
}

/** Only what its author says changes nothing, or nothing more the second time, may be called unasked. */
function isHarmless({ definition: { hints = {} } }: RegisteredFunction): boolean {
  return hints.readOnly === true || (hints.idempotent === true && hints.destructive !== true);
}

/** An app that cannot be loaded is no difference between wires. */
async function load(module: string): Promise<App> {
  try {
    return await loadModule(module);
  } catch (error) {
    if (!isForPeople(error)) throw error;
    return refuse(error.message);
  }
}

/** Ends at once: the app may hold timers and connections open. */
function refuse(message: string): never {
  printError(message);
  process.exit(2);
}

function nothingToCall({ name, functions }: App): string {
  if (functions.length === 0) return `${name} has no functions`;
  return (
    `no function of ${name} is annotated as read-only or idempotent, so none is called.\n` +
    'Add hints: { readOnly: true } to those that change nothing, or call all of them with --all'
  );
}

interface NamedReport extends ParityReport {
  readonly app: string;
  readonly seed: number;
  readonly functions: readonly string[];
  readonly skipped: readonly string[];
  readonly wires: readonly string[];
}

function inWords(report: NamedReport, module: string): string {
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

/** Many names say less than their number. */
const listed = (names: readonly string[]) => (names.length > 20 ? `${names.length} functions` : names.join(', '));

const cut = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
