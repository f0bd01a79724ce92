import { Command } from 'commander';
import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { CommandTree } from '../../wires/cli/command-tree.ts';
import type { Process } from '../process.ts';
import { configure } from '../program.ts';

/** Makes the command of a function. */
type ToCommand = (fn: RegisteredFunction, name: string) => Command;

/**
 * Adds the functions of a tree to a command: functions as commands, groups as commands with commands of their own. What has the
 * name of a built-in command keeps its one-word name (`serve-list`), or is left out if it has no other.
 */
export function addCommands(
  proc: Process,
  to: Command,
  app: App,
  tree: CommandTree,
  toCommand: ToCommand,
  builtIn: ReadonlySet<string> = new Set(),
): void {
  const nodes = [...tree.inner].flatMap(([name, node]) =>
    builtIn.has(name) ? oneWord(node) : [[name, node] as const],
  );
  for (const [name, node] of nodes) {
    if (!node.fn) continue;
    const command = toCommand(node.fn, name).helpGroup('Functions:');
    if (node.inner.size > 0) command.summary(`${node.fn.description} (also a group: ${namesIn(node)})`);
    addCommands(proc, command, app, node, toCommand);
    to.addCommand(command);
  }
  for (const [name, node] of nodes) {
    if (node.fn) continue;
    const command = configure(proc, new Command(name))
      .description(describeGroup(app, node))
      .usage('<function> [flags]');
    addCommands(proc, command, app, node, toCommand);
    to.addCommand(command.helpGroup('Groups:'));
  }
}

/** The functions inside a node, by their one-word names. */
function oneWord({ inner }: CommandTree): (readonly [string, CommandTree])[] {
  return [...inner.values()].flatMap((node) => [
    ...(node.fn ? [[node.fn.command, { ...node, inner: new Map() }] as const] : []),
    ...oneWord(node),
  ]);
}

/** What the app says about the tag of the group, or what is in it. */
export function describeGroup(app: App, node: CommandTree): string {
  return app.tags[node.group] ?? namesIn(node);
}

/** More names do not fit in a line. */
const SHOWN = 5;

function namesIn({ inner }: CommandTree): string {
  const names = [...inner.keys()];
  return [...names.slice(0, SHOWN), ...(names.length > SHOWN ? ['…'] : [])].join(', ');
}

/** One line for each function and group, where there is no room for more. */
export function linesIn(node: CommandTree): string[] {
  return [...node.inner].map(
    ([name, { fn, inner }]) => `  ${name}  ${fn?.description ?? [...inner.keys()].join(', ')}`,
  );
}
