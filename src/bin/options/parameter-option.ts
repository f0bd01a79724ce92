import { Option } from 'commander';
import type { Command } from 'commander';
import type { Given } from '../../wires/cli/decode.ts';
import { describeFlag, placeholderOf, valuesOf } from '../../wires/cli/flag-help.ts';
import type { Flag } from '../../wires/cli/flags.ts';

/**
 * An option of commander that keeps its name: `--no-x` negates nothing, dots and brackets do not make it variadic or
 * optional, and its value is stored under a key that no other option has.
 */
export class ParameterOption extends Option {
  /** What completion offers. */
  readonly values: readonly string[];
  readonly #key: string;

  constructor(name: string, note: string, placeholder?: string, values: readonly string[] = []) {
    super('--name', note);
    this.long = `--${name}`;
    this.flags = placeholder === undefined ? this.long : `${this.long} <${placeholder}>`;
    this.required = placeholder !== undefined;
    this.values = values;
    this.#key = `parameter ${name}`;
  }

  override attributeName(): string {
    return this.#key;
  }
}

/** Adds a flag to a command. What is typed for it is appended to `given`. */
export function addFlag(command: Command, flag: Flag, given: Given[], isHidden = false): void {
  const note = describeFlag(flag);
  if (flag.kind === 'switch') {
    const opposite = new ParameterOption(`no-${flag.name}`, 'the opposite');
    command.addOption(new ParameterOption(flag.name, note).hideHelp(isHidden));
    command.addOption(opposite.hideHelp(isHidden || flag.schema.default !== true));
    command.on(`option:${flag.name}`, () => given.push([flag, true]));
    command.on(`option:no-${flag.name}`, () => given.push([flag, false]));
    return;
  }
  command.addOption(new ParameterOption(flag.name, note, placeholderOf(flag), valuesOf(flag)).hideHelp(isHidden));
  const values: string[] = [];
  command.on(`option:${flag.name}`, (value: string) => {
    if (values.push(value) === 1) given.push([flag, values]);
  });
}
