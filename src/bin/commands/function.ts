import { Command } from 'commander';
import type { CommanderError } from 'commander';
import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { isByFramework, refuse } from '../../core/failure.ts';
import { returnsBytes } from '../../core/file-outputs.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { createEnvironment } from '../../env/environment.ts';
import { allowsType } from '../../schema/allows-type.ts';
import { requestedBody, requestedBodyIn } from '../../wires/cli/body.ts';
import type { BodyOptions } from '../../wires/cli/body.ts';
import { decodeCli } from '../../wires/cli/decode.ts';
import type { Given } from '../../wires/cli/decode.ts';
import { exampleOf } from '../../wires/cli/flag-example.ts';
import { loadFormat } from '../../wires/cli/formats.ts';
import { flagsOf, objectFlagsOf, positionalsOf } from '../../wires/cli/flags.ts';
import { withBody } from '../options/body.ts';
import { withDetach } from '../options/detach.ts';
import type { DetachFlags } from '../options/detach.ts';
import { markFunction } from '../options/option-names.ts';
import { describeVariables, environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { useStore, withStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { credentialsOf, withToken } from '../options/token-file.ts';
import type { TokenFlags } from '../options/token-file.ts';
import { addFlag, addPositionals, positionTerm, positionalValues } from '../options/parameter-option.ts';
import type { Process } from '../process.ts';
import { tableWidth } from '../program.ts';
import { CommandCall } from './answer.ts';
import { inputHost } from './input-host.ts';
import { pathOf } from './path-of.ts';
import { NextSteps } from './next-steps.ts';
import { terminalAsker } from './terminal-asker.ts';

interface CallOptions extends EnvironmentFlags, StoreFlags, BodyOptions, DetachFlags {
  readonly input?: string;
  readonly stream?: boolean;
  readonly out?: string;
}

const RESERVED = new Set([
  'input',
  'json',
  'env',
  'mount',
  'env-file',
  'help',
  'profile',
  'format',
  'stream',
  'out',
  'token-file',
  'store',
]);
/** Of functions that may become tasks. */
const RESERVED_FOR_TASKS = new Set([...RESERVED, 'detach', 'cancel-on-exit']);

const reservedFor = ({ task }: RegisteredFunction) => (task === 'never' ? RESERVED : RESERVED_FOR_TASKS);

/** Options that were parsed before the name of the function. */
export type EarlierFlags = EnvironmentFlags & StoreFlags & TokenFlags;

/** A function as a command, with a flag for each parameter. */
export function functionCommand(proc: Process, app: App, fn: RegisteredFunction, earlier?: EarlierFlags): Command {
  const given: Given[] = [];
  const { cli } = fn.definition;
  const reserved = reservedFor(fn);
  const flags = flagsOf(fn.inputSchema, reserved, cli);
  const positionals = positionalsOf(fn.inputSchema, flags, cli);
  const command = new Command(fn.words.at(-1)).description(fn.description).allowExcessArguments(false);
  markFunction(command);
  command.optionsGroup('Arguments:');
  addPositionals(command, positionals);
  for (const flag of flags) {
    addFlag(command, flag, given, { term: positionals.includes(flag) ? positionTerm(flag) : undefined });
  }
  for (const flag of objectFlagsOf(fn.inputSchema, reserved, flags)) addFlag(command, flag, given, { isHidden: true });
  command.optionsGroup('Options:');
  command.option('--input <json|@file|->', 'all arguments as JSON, @file, or - for stdin; flags go on top');
  command.option('--stream', 'print chunks, progress and the result as they come, as lines of JSON');
  command.option(
    '--out <file>',
    `write the result to a file: ${fn.returnsFile || returnsBytes(fn.returned) ? 'its bytes' : 'the exact body'}; - for stdout`,
  );
  withDetach(command, fn.task);
  withStore(withEnvironment(proc, withBody(command), earlier), earlier);
  if (app.access) withToken(proc, command, earlier);
  const variables = describeVariables(app);
  command
    .addHelpText(
      'after',
      () =>
        `${variables && `\n${variables}\n`}\nExample:\n  $ ${`${pathOf(command)} ${exampleOf(fn, flags, positionals)}`.trimEnd()}`,
    )
    .action(async () => {
      const options = command.opts<CallOptions>();
      useStore(app, options);
      const environment = createEnvironment(await environmentOf(proc, options));
      const missing = app.variables.missingIn(environment.env);
      if (missing !== undefined) command.error(`error: ${missing}`);
      given.push(...positionalValues(command, positionals));
      const { profile, isExact } = requestedBody(app, options);
      const { stream: isStream = false } = options;
      const format = options.format && (await loadFormat(options.format, tableWidth(proc)));
      const current = new CommandCall(proc, app);
      current.alwaysAnswer(fn, profile, { isExact, isStream, format });
      const request = { fn, flags: given, input: options.input };
      if (app.events.isObserved) app.events.emit({ step: 'accepted', wire: 'cli', subject: fn.command });
      const { call, hint } = await decodeCli(request, inputHost(proc, app));
      const [{ showLive }, { callToEnd, deferralOf }] = await Promise.all([
        import('../live/show-live.ts'),
        import('./call-to-end.ts'),
      ]);
      const { detach: isDetached = false, cancelOnExit = false, out } = options;
      const next = new NextSteps(proc, command);
      const signal = current.cancelledBySignals();
      const asker = terminalAsker(proc);
      const isQuiet = isExact || format !== undefined || out !== undefined;
      const takesFile = fn.returnsFile && (out !== undefined || (proc.isTerminal(1) && !isQuiet && !isStream));
      const whole = {
        ...call,
        credentials: app.access && credentialsOf(proc, command),
        signal,
        environment,
        deferral: deferralOf(app, fn, options, asker),
        takesFile,
      };
      const respond = async () =>
        showLive(proc, { isExact: isQuiet, isStream: isStream && out === undefined, asker }, (live) =>
          callToEnd(proc, app, whole, { live, profile, isDetached, cancelOnExit, next }),
        );
      if (out !== undefined) {
        const { saveAnswer } = await import('./save-answer.ts');
        return saveAnswer(current, out, async () => (await respond()).answer, profile, { isExact, hint });
      }
      const { answer: answered, options: shown } = await respond();
      current.answer(answered, {
        isExact,
        format,
        hint: hint ?? (next.hint || usageHint(command, answered)),
        ...shown,
      });
    });
  return command;
}

/** A mistake in the flags is an outcome too: the same body and exit code as invalid arguments on any wire. */
export function refuseUsage(
  proc: Process,
  app: App,
  fn: RegisteredFunction,
  error: CommanderError,
  args: readonly string[],
  path: string,
): void {
  const message =
    error.code === 'commander.excessArguments'
      ? (valueless(fn, args) ?? tooManyArguments(fn))
      : isAboutDetach(error) && fn.task === 'never'
        ? `--detach: ${fn.name} never becomes a task; its definition needs task: 'allowed'`
        : (fieldOfJson(fn, error) ?? error.message.replace(/^error: /, '').replaceAll('\n', ' '));
  const hint = `\nSee ${path} --help`;
  const { profile, ...reply } = requestedBodyIn(app, args);
  new CommandCall(proc, app).answer(render(refuse('INVALID_ARGUMENTS', message), fn, profile), { ...reply, hint });
}

/** Where the flags are listed, if arguments break the schema. */
function usageHint(command: Command, { outcome }: Answer): string {
  const isHelpful = !outcome.ok && isByFramework(outcome) && outcome.error.code === 'INVALID_ARGUMENTS';
  if (!isHelpful || outcome.error.details === undefined) return '';
  return `\nSee ${pathOf(command)} --help`;
}

const isAboutDetach = ({ code, message }: CommanderError) =>
  code === 'commander.unknownOption' && message.includes("'--detach'");

function tooManyArguments({ definition: { cli } }: RegisteredFunction): string {
  const count = cli?.positional?.length ?? 0;
  return count === 0
    ? 'arguments are given by flags, or as JSON with --input'
    : `too many arguments: at most ${count} by position; others by flags, or as JSON with --input`;
}

const flagsIn = (fn: RegisteredFunction) => flagsOf(fn.inputSchema, reservedFor(fn), fn.definition.cli);

/** In `--x --y 1`, --x has taken the next flag for its value. */
function valueless(fn: RegisteredFunction, args: readonly string[]): string | undefined {
  const kinds = new Map(
    flagsIn(fn).flatMap(({ name, aliases, kind }) => [name, ...aliases].map((one) => [`--${one}`, kind])),
  );
  const found = args.find((one, i) => (kinds.get(one) ?? 'switch') !== 'switch' && kinds.has(args[i + 1] ?? ''));
  return found && `${found} needs a value`;
}

/** `--shape.kind circle`, if only some of the objects that `shape` may be have that field. */
function fieldOfJson(fn: RegisteredFunction, { code, message }: CommanderError): string | undefined {
  const [, typed, name] = (code === 'commander.unknownOption' && /'--(([^'=.]+)\.[^'=]*)/.exec(message)) || [];
  const flag = flagsIn(fn).find((one) => [one.name, ...one.aliases].includes(name ?? ''));
  return flag && allowsType(flag.schema, 'object', flag.root)
    ? `unknown option '--${typed}' (--${name} takes JSON: --${name} '{…}')`
    : undefined;
}
