import { basename } from 'node:path';
import type { App } from '../app/app.ts';
import { appFrom } from '../app/is-app.ts';
import { hasSettings } from './options/has-settings.ts';
import { wantsExactBody } from './options/wants-exact-body.ts';
import { argumentsUnderCgi } from './options/cgi-arguments.ts';
import { reportErrors } from './report-error.ts';
import { claimStdout } from '../stdout/claim.ts';
import { takeToken } from './token.ts';
import { whileLoading } from './while-loading.ts';
import { FAST_STARTS } from './fast-start.ts';

/**
 * Runs an app as a command. The app is loaded late: what it prints while it loads must not reach stdout, and a request gets a
 * response even if the app cannot be loaded.
 */
export async function runModule(loadApp: () => Promise<unknown>, argv: readonly string[]): Promise<void> {
  // A build exports what its module exported, and was made only if that led to an app.
  const load = () => whileLoading(nameOf(argv), async () => (await appFrom(await loadApp()))!);
  const args = argumentsUnderCgi(argv.slice(2), process.env);
  if (!args) return (await import('./commands/run-cgi.ts')).refuseQuery();
  const [word = '', ...rest] = args;
  const fastStart = rest.length === 0 && !hasSettings() ? FAST_STARTS.get(word) : undefined;
  if (fastStart) return fastStart(load);
  // This may respawn the process (see stdout/README.md): the earlier, the less is loaded twice.
  if (!SERVING.has(word)) await claimStdout(wantsExactBody(rest) ? 'body' : 'text');

  const [{ configure, createProgram, runProgram }, { WIRES }] = await Promise.all([
    import('./program.ts'),
    import('./commands/wires.ts'),
  ]);
  const wire = WIRES.get(word);
  if (wire && !rest.some((flag) => flag === '--help' || flag === '-h')) {
    const program = createProgram(nameOf(argv)).addCommand(configure(wire({ declare: (command) => command, load })));
    return endCommand(word, await runProgram(program, args));
  }
  const run = async () => {
    takeToken();
    return (await import('./commands/app.ts')).runCommand(await load(), nameOf(argv), args);
  };
  return endCommand(word, await reportErrors(run));
}

/** Commands that print nothing on stdout, or claim it themselves. */
const SERVING = new Set(['serve', 'mcp', 'cgi']);

/** Ends a command that is done. A web server waits for a response even if the options of its command are wrong. */
export async function endCommand(word: string | undefined, code: number | void): Promise<void> {
  if (code === undefined) return;
  if (word === 'cgi' && code !== 0 && process.env['REQUEST_METHOD'])
    (await import('./commands/run-cgi.ts')).answerBroken();
  (await import('./end-process.ts')).endProcess(code);
}

/** The same for an app that is loaded already. */
export async function runApp(app: App, argv: readonly string[]): Promise<void> {
  return runModule(async () => app, argv);
}

function nameOf([, script = 'app']: readonly string[]): string {
  return basename(script).replace(/\.[cm]?[jt]s$/, '');
}
