import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { CommanderError } from 'commander';
import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Call } from '../../core/call.ts';
import { refuse } from '../../core/failure.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { createEnvironment } from '../../env/environment.ts';
import { requestedBody, requestedBodyIn } from '../../wires/cli/body.ts';
import type { BodyOptions } from '../../wires/cli/body.ts';
import { decodeCli } from '../../wires/cli/decode.ts';
import type { Given } from '../../wires/cli/decode.ts';
import { exampleOf } from '../../wires/cli/flag-example.ts';
import { flagsOf } from '../../wires/cli/flags.ts';
import { withBody } from '../options/body.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { addFlag } from '../options/parameter-option.ts';
import { alwaysAnswer, answer, cancelledBySignals } from './answer.ts';
import { terminalAsker } from './terminal-asker.ts';

interface CallOptions extends EnvironmentFlags, BodyOptions {
  readonly input?: string;
}

const RESERVED = new Set(['input', 'json', 'env', 'mount', 'help', 'profile']);

/** A function as a command, with a flag for each parameter. `environment` holds options that were parsed before. */
export function functionCommand(app: App, fn: RegisteredFunction, environment?: EnvironmentFlags): Command {
  const given: Given[] = [];
  const flags = flagsOf(fn.inputSchema, RESERVED);
  const command = new Command(fn.command).description(fn.description).allowExcessArguments(false);
  command.optionsGroup('Arguments:');
  const taken = new Set(flags.map(({ name }) => name));
  for (const flag of flags) {
    addFlag(command, flag, given);
    // `--no-json` reads like the opposite of an option of ours; this spelling does not.
    const clearer = `arg-${flag.name}`;
    if (flag.name.startsWith('no-') && !taken.has(clearer)) addFlag(command, { ...flag, name: clearer }, given, true);
  }
  command.optionsGroup('Options:');
  command.option('--input <json>', 'all arguments as JSON, or - to read them from stdin; flags go on top');
  withEnvironment(withBody(command), environment)
    .addHelpText('after', () => `\nExample:\n  $ ${pathOf(command)} ${exampleOf(fn, flags)}`)
    .action(async (options: CallOptions) => {
      const { profile, isExact } = requestedBody(app, options);
      alwaysAnswer(app, fn, profile, isExact);
      const request = { fn, flags: given, input: options.input };
      if (app.events.isObserved) app.events.emit({ step: 'accepted', wire: 'cli', subject: fn.command });
      const { call, hint } = await decodeCli(request, { limits: app.limits, stdin, fileExists: existsSync });
      answer(await app.respond({ ...call, ...(await surroundings(app, options)) }, profile), { isExact, hint });
    });
  return command;
}

const stdin = () => process.stdin as AsyncIterable<Buffer>;

async function surroundings(
  app: App,
  options: EnvironmentFlags,
): Promise<Pick<Call, 'signal' | 'asker' | 'environment'>> {
  return {
    signal: cancelledBySignals(app),
    asker: terminalAsker(),
    environment: createEnvironment(await environmentOf(options)),
  };
}

/** A mistake in the flags is an outcome too: the same body and exit code as invalid arguments on any wire. */
export function refuseUsage(
  app: App,
  fn: RegisteredFunction,
  error: CommanderError,
  args: readonly string[],
  name: string,
): void {
  const message =
    error.code === 'commander.excessArguments'
      ? 'arguments are given by flags, or as JSON with --input'
      : error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  const hint = `\nSee ${name} ${fn.command} --help`;
  const { profile, isExact } = requestedBodyIn(app, args);
  answer(render(refuse('INVALID_ARGUMENTS', message), fn, profile), { isExact, hint });
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
