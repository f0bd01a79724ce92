import { Argument, Option } from 'commander';
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

  withShort(letter: string | undefined): this {
    if (letter === undefined) return this;
    this.short = `-${letter}`;
    this.flags = `${this.short}, ${this.flags}`;
    return this;
  }

  /** In help, a parameter that is given by position is shown like that. */
  shownAs(term: string | undefined): this {
    if (term !== undefined) this.flags = term;
    return this;
  }

  override attributeName(): string {
    return this.#key;
  }
}

/** A parameter that is given by position. Optional for commander: the pipeline reports what is missing. */
export class ParameterArgument extends Argument {
  /** What completion offers. */
  readonly values: readonly string[];

  constructor(flag: Flag, index: number) {
    super(flag.kind === 'list' ? `[parameter${index}...]` : `[parameter${index}]`);
    this.values = valuesOf(flag);
  }
}

/** `<id>`, `[page]` or `<files...>`: how a positional parameter is shown. */
export function positionTerm({ path, kind, required }: Flag): string {
  const name = `${path.join('.')}${kind === 'list' ? '...' : ''}`;
  return required ? `<${name}>` : `[${name}]`;
}

/** How else a switch can be set: `--loudly=false`. */
const SWITCHED = [
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
] as const;

interface Shown {
  /** How the parameter is shown if it is given by position. */
  readonly term?: string | undefined;
  /** Not in help, nor offered by completion. */
  readonly isHidden?: boolean;
}

/** Adds a flag to a command, in all its spellings. What is typed for it is appended to `given`. */
export function addFlag(command: Command, flag: Flag, given: Given[], { term, isHidden = false }: Shown = {}): void {
  const note = describeFlag(flag, term !== undefined);
  if (flag.kind === 'switch') {
    for (const name of [flag.name, ...flag.aliases]) {
      const isShown = name === flag.name;
      const on = new ParameterOption(name, note).withShort(isShown ? flag.short : undefined).shownAs(term);
      const off = new ParameterOption(`no-${name}`, 'the opposite');
      command.addOption(on.hideHelp(!isShown));
      command.addOption(off.hideHelp(!isShown || flag.schema.default !== true));
      command.on(`option:${name}`, () => given.push([flag, true]));
      command.on(`option:no-${name}`, () => given.push([flag, false]));
      for (const [text, value] of SWITCHED) {
        command.addOption(new ParameterOption(`${name}=${text}`, note).hideHelp());
        command.on(`option:${name}=${text}`, () => given.push([flag, value]));
      }
    }
    return;
  }
  const values: string[] = [];
  for (const name of [flag.name, ...flag.aliases]) {
    const isShown = name === flag.name && !isHidden;
    const option = new ParameterOption(name, note, placeholderOf(flag), valuesOf(flag));
    command.addOption(
      option
        .withShort(isShown ? flag.short : undefined)
        .shownAs(term)
        .hideHelp(!isShown),
    );
    command.on(`option:${name}`, (value: string) => {
      if (values.push(value) === 1) given.push([flag, values]);
    });
  }
}

/** Adds the parameters that are given by position. */
export function addPositionals(command: Command, positionals: readonly Flag[]): void {
  if (positionals.length === 0) return;
  for (const [i, flag] of positionals.entries()) command.addArgument(new ParameterArgument(flag, i));
  command.usage(['[options]', ...positionals.map(positionTerm)].join(' '));
}

/** What was typed by position. */
export function positionalValues({ args }: Command, positionals: readonly Flag[]): Given[] {
  return positionals.flatMap((flag, i): Given[] => {
    const values = flag.kind === 'list' ? args.slice(i) : args.slice(i, i + 1);
    return values.length > 0 ? [[flag, values]] : [];
  });
}
