import { Command } from 'commander';
import { suggest } from '../../schema/suggest.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { loadConfig } from '../../load/load-config.ts';
import { ModuleError } from '../../load/module-error.ts';
import type { Process } from '../process.ts';
import { whileLoading } from '../while-loading.ts';
import { withBody } from './body.ts';
import { withDetach } from './detach.ts';
import { withEnvironment } from './environment.ts';
import { withStore } from './store.ts';
import { withToken } from './token-file.ts';
import { isSettable, REPEATABLE, sectionOf } from './option-names.ts';
import { configKey } from './settings.ts';

/** Loads a configuration file, and checks all of it: also what it says about other commands. */
export async function loadSettings(proc: Process, command: Command, file: string): Promise<void> {
  // What the file prints must not be taken for output. Those that serve HTTP print nothing on stdout.
  if (command.name() !== 'serve' && command.name() !== 'dev')
    await proc.claimStdout(command.name() === 'mcp' || command.name() === 'cgi' ? 'protocol' : 'text');
  const values = await whileLoading(proc, file, () =>
    loadConfig({ path: proc.resolve(file), shown: file, query: proc.moduleQuery }),
  );
  if (!isRecord(values)) throw new ModuleError(`${file} must export an object, such as { serve: { port: 3000 } }`);
  const problems = problemsIn(proc, values, topCommands(command));
  if (problems.length > 0) throw new ModuleError(`${file}: ${problems.join('; ')}`);
  proc.state.config = { file, values };
}

/** All commands of the program. */
function topCommands(command: Command): readonly Command[] {
  let top = command;
  while (top.parent?.parent) top = top.parent;
  return top.parent?.commands ?? [top];
}

interface Known {
  readonly isList: boolean;
  readonly isSwitch: boolean;
}

function problemsIn(proc: Process, values: Readonly<Record<string, unknown>>, commands: readonly Command[]): string[] {
  const sections = new Map(commands.map((command) => [sectionOf(command), keysOf(command)]));
  sections.set(
    'call',
    keysOf(withDetach(withStore(withToken(proc, withBody(withEnvironment(proc, new Command('call'))))), 'always')),
  );
  const shared = keysOf(withStore(withEnvironment(proc, new Command())));
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const section = sections.get(name);
    if (!section) {
      const option = shared.get(name);
      return option ? problemsInValue(name, value, option) : [unknown(name, [...shared.keys(), ...sections.keys()])];
    }
    if (!isRecord(value)) return [`${name} must be an object`];
    return Object.entries(value).flatMap(([key, inner]) => {
      if (inner === undefined) return [];
      const option = section.get(key);
      return option ? problemsInValue(`${name}.${key}`, inner, option) : [unknown(`${name}.${key}`, section.keys())];
    });
  });
}

function keysOf(command: Command): Map<string, Known> {
  const options = [command, ...command.commands]
    .flatMap((one) => one.options)
    .filter((option) => isSettable(option) && option.attributeName() !== 'config');
  return new Map(
    options.map((option) => [configKey(option), { isList: REPEATABLE.has(option.long!), isSwitch: !option.required }]),
  );
}

function unknown(name: string, known: Iterable<string>): string {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const meant = suggest(last, known);
  return `unknown option ${JSON.stringify(name)}${meant ? ` (did you mean ${JSON.stringify(meant)}?)` : ''}`;
}

function problemsInValue(name: string, value: unknown, { isList, isSwitch }: Known): string[] {
  if (name.endsWith('env')) {
    const isValid = isRecord(value) && Object.values(value).every((one) => typeof one === 'string');
    return isValid ? [] : [`${name} must be an object of strings`];
  }
  if (isSwitch) return typeof value === 'boolean' ? [] : [`${name} must be true or false`];
  const isValid = (Array.isArray(value) && isList ? (value as unknown[]) : [value]).every(
    (one) => typeof one === 'string' || typeof one === 'number',
  );
  return isValid ? [] : [`${name} must be a string or a number${isList ? ', or a list of them' : ''}`];
}
