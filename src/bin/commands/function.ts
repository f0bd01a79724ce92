import { existsSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import type { App } from '../../app/app.ts';
import type { Call } from '../../core/call.ts';
import { refuse } from '../../core/failure.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { createEnvironment } from '../../env/environment.ts';
import { render } from '../../app/respond.ts';
import { expectation } from '../../schema/problem.ts';
import { argumentsFrom, flagsOf } from '../../wires/cli/flags.ts';
import type { Flag, Given } from '../../wires/cli/flags.ts';
import { jsonMistake } from '../../wires/cli/json-mistake.ts';
import { decodeJson, tooLarge } from '../../wires/json-body.ts';
import { alwaysAnswer, answerOnce } from './answer-once.ts';
import { bodyAsked, bodyWanted, withBody } from '../options/body.ts';
import type { BodyOptions } from '../options/body.ts';
import { environmentOf, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
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
  const taken = new Set(flags.map(({ name }) => name));
  for (const flag of flags) {
    addFlag(command, flag, given);
    // `--no-json` reads like the opposite of one of our own options; this spelling does not.
    const clearer = `arg-${flag.name}`;
    if (flag.name.startsWith('no-') && !taken.has(clearer)) addFlag(command, { ...flag, name: clearer }, given, true);
  }
  command.optionsGroup('Options:');
  command.option('--input <json>', 'all arguments as JSON, or - to read them from stdin; flags go on top');
  withEnvironment(withBody(command))
    .addHelpText('after', () => `\nExample:\n  $ ${pathOf(command)} ${exampleOf(fn, flags)}`)
    .action(async (options: CallFlags) => {
      const { profile, exact } = bodyWanted(app, options);
      alwaysAnswer(app, fn, profile, exact);
      const { call, hint } = await callFrom(app, fn, given, options);
      answerOnce(await app.respond(call, profile), { exact, hint });
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
  answerOnce(render(refuse('INVALID_ARGUMENTS', message), fn, profile), { exact, hint });
}

async function callFrom(
  app: App,
  fn: RegisteredFunction,
  given: readonly Given[],
  options: CallFlags,
): Promise<{ readonly call: Call; readonly hint: string | undefined }> {
  const decoded = await decodeInput(options.input, app.limits);
  const leaving = new AbortController();
  process.on('SIGINT', () => leaving.abort()); // not once: a second ^C must not end the process before the answer is out
  const call: Call = {
    name: fn.name,
    fn,
    ...('refused' in decoded
      ? { refused: decoded.refused }
      : { input: argumentsFrom(given, decoded.input, fn.inputSchema) }),
    caller: { wire: 'cli' },
    signal: leaving.signal,
    asker: terminalAsker(),
    environment: createEnvironment(await environmentOf(options)),
  };
  return { call, hint: 'hint' in decoded ? decoded.hint : undefined };
}

type Decoded = { readonly input: unknown } | { readonly refused: Failed; readonly hint?: string };

async function decodeInput(text: string | undefined, { body: limit, depth }: Limits): Promise<Decoded> {
  if (text === undefined) return { input: undefined };
  if (text !== '-') return explained(new TextEncoder().encode(text), depth, (found) => hintAbout(text, found));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return { refused: tooLarge(limit) };
    chunks.push(chunk);
  }
  return explained(Buffer.concat(chunks), depth, (found) => `\n--input: ${found}`);
}

/** The body says what it says on every wire; people who type are told more. */
function explained(bytes: Uint8Array, depth: number, hint: (found: string) => string): Decoded {
  const result = decodeJson(bytes, depth);
  if (!('ok' in result)) return result;
  const { line, column, found } = jsonMistake(new TextDecoder().decode(bytes));
  return { refused: result, hint: hint(`not JSON from line ${line}, column ${column} on, where ${found} is`) };
}

/** Whoever types a name means a file, as other programs take it. */
function hintAbout(text: string, found: string): string {
  const file = text.replace(/^@/, '');
  if (/^\s*[[{"]/.test(text)) return `\n--input: ${found}`;
  const isThere = existsSync(file);
  const meant = `to read the arguments from a file, use: --input - < ${isThere ? file : '<file>'}`;
  return isThere
    ? `\n--input takes JSON; ${meant}`
    : `\n--input takes JSON, which ${text} is not, and there is no file ${file}; ${meant}`;
}

function addFlag(command: Command, flag: Flag, given: Given[], isHidden = false): void {
  const note = describe(flag);
  if (flag.kind === 'switch') {
    const opposite = new ParameterOption(`no-${flag.name}`, undefined, 'the opposite');
    command.addOption(new ParameterOption(flag.name, undefined, note).hideHelp(isHidden));
    command.addOption(opposite.hideHelp(isHidden || flag.schema.default !== true));
    command.on(`option:${flag.name}`, () => given.push([flag, true]));
    command.on(`option:no-${flag.name}`, () => given.push([flag, false]));
    return;
  }
  command.addOption(new ParameterOption(flag.name, placeholder(flag), note).hideHelp(isHidden));
  const texts: string[] = [];
  command.on(`option:${flag.name}`, (text: string) => {
    if (texts.push(text) === 1) given.push([flag, texts]);
  });
}

/**
 * An option that is named as it is, whatever that means to commander elsewhere: `--no-x` negates nothing, dots and brackets
 * in the values do not make it variadic or optional, and what is parsed is stored under a key that no other option has.
 */
class ParameterOption extends Option {
  readonly #key: string;

  constructor(name: string, value: string | undefined, note: string) {
    super('--name', note);
    this.long = `--${name}`;
    this.flags = value === undefined ? this.long : `${this.long} <${value}>`;
    this.required = value !== undefined;
    this.#key = `parameter ${name}`;
  }

  override attributeName(): string {
    return this.#key;
  }
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
