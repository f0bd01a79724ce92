import { basename } from 'node:path';
import type { App } from '../app/app.ts';
import { appFrom } from '../app/is-app.ts';
import { hasSettings } from './options/has-settings.ts';
import { wantsExactBody } from './options/wants-exact-body.ts';
import { argumentsUnderCgi } from './options/cgi-arguments.ts';
import { nodeProcess } from './node-process.ts';
import type { Process } from './process.ts';
import { reportErrors } from './report-error.ts';
import { takeToken } from './token.ts';
import { whileLoading } from './while-loading.ts';
import { FAST_STARTS } from './fast-start.ts';

/** Runs an app as a command, in the process of Node: it ends with the command. */
export async function runModule(loadApp: () => Promise<unknown>, argv: readonly string[]): Promise<void> {
  return startModule(nodeProcess(argv), loadApp);
}

/** Runs an app that is loaded already as a command. */
export async function runApp(app: App, argv: readonly string[]): Promise<void> {
  return runModule(async () => app, argv);
}

/**
 * Runs an app as a command. Resolves when it has ended itself, or serves. The app is loaded late: what it prints while it loads
 * must not reach stdout, and a request gets a response even if the app cannot be loaded.
 */
export async function startModule(proc: Process, loadApp: () => Promise<unknown>): Promise<void> {
  const name = nameOf(proc.argv);
  // A build exports what its module exported, and was made only if that led to an app.
  const load = () => whileLoading(proc, name, async () => (await appFrom(await loadApp()))!);
  const args = argumentsUnderCgi(proc.argv.slice(2), proc.env);
  if (!args) return (await import('./commands/run-cgi.ts')).refuseQuery(proc);
  const [word = '', ...rest] = args;
  const fastStart = rest.length === 0 && !hasSettings(proc) ? FAST_STARTS.get(word) : undefined;
  if (fastStart) return fastStart(proc, load);
  // This may respawn the process (see stdout/README.md): the earlier, the less is loaded twice.
  if (!SERVING.has(word)) await proc.claimStdout(wantsExactBody(rest) ? 'body' : 'text');

  const [{ configure, createProgram, runProgram }, { WIRES }] = await Promise.all([
    import('./program.ts'),
    import('./commands/wires.ts'),
  ]);
  const wire = WIRES.get(word);
  if (wire && !rest.some((flag) => flag === '--help' || flag === '-h')) {
    const command = wire(proc, { declare: (one) => one, load });
    const program = createProgram(proc, name).addCommand(configure(proc, command));
    return endCommand(proc, word, await runProgram(proc, program, args));
  }
  const run = async () => {
    takeToken(proc);
    return (await import('./commands/app.ts')).runCommand(proc, await load(), name, args);
  };
  return endCommand(proc, word, await reportErrors(proc, run));
}

/** Commands that print nothing on stdout, or claim it themselves. */
const SERVING = new Set(['serve', 'mcp', 'cgi']);

/** Ends a command that is done. A web server waits for a response even if the options of its command are wrong. */
export async function endCommand(proc: Process, word: string | undefined, code: number | void): Promise<void> {
  if (code === undefined) return;
  if (word === 'cgi' && code !== 0 && proc.env['REQUEST_METHOD'])
    return (await import('./commands/run-cgi.ts')).answerBroken(proc);
  proc.end(code);
}

function nameOf([, script = 'app']: readonly string[]): string {
  return basename(script).replace(/\.[cm]?[jt]s$/, '');
}
