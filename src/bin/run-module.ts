import { basename } from 'node:path';
import type { App } from '../app.ts';
import { argumentsUnderCgi } from './cgi-arguments.ts';
import { configure, createProgram, runProgram } from './program.ts';
import { claimStdout } from './stdout.ts';
import { WIRES } from './wires.ts';

/**
 * An app as a command, before the app is there: what it prints while it loads must not stand before an answer, and a
 * request must be answered even if it cannot be loaded.
 */
export async function runModule(load: () => Promise<App>, argv: readonly string[]): Promise<void> {
  const args = argumentsUnderCgi(argv.slice(2), process.env);
  if (!args) return (await import('./cgi.ts')).refuseQuery();
  const [word = '', ...rest] = args;
  const wire = WIRES.get(word);
  // Nothing but what is asked for: a CGI script pays for it with every request.
  if (wire && !rest.some((flag) => flag === '--help' || flag === '-h')) {
    const program = createProgram(nameOf(argv)).addCommand(configure(wire({ declare: (command) => command, load })));
    return runProgram(program, args);
  }
  claimStdout();
  const app = await load();
  return (await import('./app-command.ts')).runCommand(app, nameOf(argv), args);
}

/** The same for an app that is there. */
export async function runApp(app: App, argv: readonly string[]): Promise<void> {
  return runModule(async () => app, argv);
}

function nameOf([, script = 'app']: readonly string[]): string {
  return basename(script).replace(/\.[cm]?[jt]s$/, '');
}
