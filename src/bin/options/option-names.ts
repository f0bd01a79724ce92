import type { Command, Option } from 'commander';
import { ParameterOption } from './parameter-option.ts';

const FUNCTIONS = new WeakSet<Command>();

/** Marks the command of a function: its name is the author's, and its options are those of `call`. */
export function markFunction(command: Command): void {
  FUNCTIONS.add(command);
}

/** The section of the configuration file: `mcpConfig`. */
export function sectionOf(command: Command): string {
  return toCamelCase(nameOf(command));
}

/** Of the command whose options it has: all commands about tasks share theirs. */
function nameOf(command: Command): string {
  if (FUNCTIONS.has(command)) return 'call';
  return command.parent?.name() === TASKS ? TASKS : command.name();
}

const TASKS = 'tasks';

function toCamelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether an option can be set elsewhere: not a parameter of a function, nor one that asks for help. */
export function isSettable(option: Option): boolean {
  return !(option instanceof ParameterOption) && option.long !== '--help' && option.long !== '--version';
}

/** Options that mean the same on every command. */
const SHARED = new Set(['--env', '--env-file', '--mount', '--config', '--no-config', '--verbose', '--token-file']);
/** Commands whose options have no other meaning elsewhere. */
const PLAIN = new Set(['serve', 'dev', 'mcp', 'cgi', 'call', 'worker', TASKS]);

/** The environment variable of an option: `EVERYWIRE_PORT`, `EVERYWIRE_PARITY_CALLS`. */
export function variableOf(command: Command, { long }: Option): string {
  const section = nameOf(command);
  const name = long!.slice(2);
  const isPlain = SHARED.has(long!) || PLAIN.has(section) || name.startsWith(`${section}-`);
  return `EVERYWIRE_${(isPlain ? name : `${section}-${name}`).toUpperCase().replaceAll('-', '_')}`;
}

/** Options that may be given more than once. */
export const REPEATABLE: ReadonlySet<string> = new Set([
  '--env',
  '--env-file',
  '--mount',
  '--allow-host',
  '--allow-origin',
  '--ignore',
  '--header',
  '--mcp',
  '--external',
]);
