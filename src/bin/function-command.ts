import { Command, CommanderError, Option } from 'commander';
import type { App } from '../app.ts';
import type { Call } from '../core/call.ts';
import { refuse } from '../core/failure.ts';
import type { Limits } from '../core/limits.ts';
import type { Failed } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registry.ts';
import { createEnvironment } from '../env/environment.ts';
import { render } from '../responses/respond.ts';
import { expectation } from '../schema/problem.ts';
import { argumentsFrom, flagsOf } from '../wires/cli/flags.ts';
import type { Flag, Given } from '../wires/cli/flags.ts';
import { decodeJson, tooLarge } from '../wires/json-body.ts';
import { answer } from './answer.ts';
import { bodyAsked, bodyWanted, withBody } from './body-options.ts';
import type { BodyOptions } from './body-options.ts';
import { environmentOf, withEnvironment } from './environment-options.ts';
import type { EnvironmentFlags } from './environment-options.ts';
import { exampleOf } from './function-example.ts';
import { terminalAsker } from './terminal-asker.ts';

interface CallFlags extends EnvironmentFlags, BodyOptions {
  readonly input?: string;
}

const RESERVED = new Set(['input', 'json', 'env', 'mount', 'help', 'profile']);

/** A function as a command, with a flag for each parameter. */
export function functionCommand(app: App, fn: RegisteredFunction): Command {
  const given: Given[] = [];
  const flags = flagsOf(fn.inputSchema, RESERVED);
  const command = new Command(fn.command).description(fn.description).allowExcessArguments(false);
  command.optionsGroup('Arguments:');
  for (const flag of flags) addFlag(command, flag, given);
  command.optionsGroup('Options:');
  command.option('--input <json>', 'all arguments as JSON, or - to read them from stdin; flags go on top');
  withEnvironment(withBody(command))
    .addHelpText('after', () => `\nExample:\n  $ ${pathOf(command)} ${exampleOf(fn, flags)}`)
    .action(async (options: CallFlags) => {
      const { profile, exact } = bodyWanted(app, options);
      answer(await app.respond(await callFrom(app, fn, given, options), profile), { exact });
    });
  return command;
}

/** A mistake in the flags is an outcome too: the same body and exit code as bad arguments on any wire. */
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
  const { profile, exact } = bodyAsked(app, args);
  answer(render(refuse('INVALID_ARGUMENTS', message), fn, profile), { exact, hint });
}

async function callFrom(app: App, fn: RegisteredFunction, given: readonly Given[], options: CallFlags): Promise<Call> {
  const decoded = await decodeInput(options.input, app.limits);
  const leaving = new AbortController();
  process.once('SIGINT', () => leaving.abort());
  return {
    name: fn.name,
    ...('ok' in decoded ? { refused: decoded } : { input: argumentsFrom(given, decoded.input, fn.inputSchema) }),
    caller: { wire: 'cli' },
    signal: leaving.signal,
    asker: terminalAsker(),
    environment: createEnvironment(await environmentOf(options)),
  };
}

async function decodeInput(
  text: string | undefined,
  { body: limit, depth }: Limits,
): Promise<{ readonly input: unknown } | Failed> {
  if (text === undefined) return { input: undefined };
  if (text !== '-') return decodeJson(new TextEncoder().encode(text), depth);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return tooLarge(limit);
    chunks.push(chunk);
  }
  return decodeJson(Buffer.concat(chunks), depth);
}

function addFlag(command: Command, flag: Flag, given: Given[]): void {
  const note = describe(flag);
  if (flag.kind === 'switch') {
    command.addOption(new Option(`--${flag.name}`, note));
    command.addOption(new Option(`--no-${flag.name}`, 'the opposite').hideHelp(flag.schema.default !== true));
    // Commander would fold the pair into one value; whether it was given at all matters here.
    command.on(`option:${flag.name}`, () => given.push([flag, true]));
    command.on(`option:no-${flag.name}`, () => given.push([flag, false]));
    return;
  }
  command.addOption(new Option(`--${flag.name} <${placeholder(flag)}>`, note));
  const texts: string[] = [];
  command.on(`option:${flag.name}`, (text: string) => {
    if (texts.push(text) === 1) given.push([flag, texts]);
  });
}

function placeholder({ kind, schema }: Flag): string {
  const item = kind === 'list' && typeof schema.items === 'object' ? schema.items : schema;
  if (item.enum) return item.enum.map(String).join('|');
  const { type } = item;
  return type === 'object' || type === 'array'
    ? 'json'
    : expectation({ type }).replaceAll(' or ', '|').replace('a value', 'value');
}

function describe({ schema, kind, required }: Flag): string {
  const notes = [
    required && 'required',
    kind === 'list' && 'repeatable',
    schema.default !== undefined && `default: ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  return [schema.description, notes.length > 0 && `(${notes.join(', ')})`].filter(Boolean).join(' ');
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
