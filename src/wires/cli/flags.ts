import type { CliOptions } from '../../core/function.ts';
import { toKebabCase } from '../../core/names.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { kindOf, leafParametersOf, objectParametersOf } from '../../schema/leaf-parameters.ts';
import type { LeafParameter } from '../../schema/leaf-parameters.ts';

/** A parameter as a flag on the command line. Its name is without dashes. */
export interface Flag extends LeafParameter {
  /** `switch` is on or off (`--loud`, `--no-loud`); `list` may be given more than once. */
  readonly kind: 'value' | 'switch' | 'list';
  /** Other spellings, which are accepted but not shown: `first-name` for firstName. */
  readonly aliases: readonly string[];
  /** One letter. */
  readonly short: string | undefined;
  /** The schema of all arguments, for references. */
  readonly root: JsonSchema;
}

/**
 * The flags of a function, from its input schema. A reserved name gets the prefix `arg-`. A parameter whose
 * name cannot be a flag, or is taken, can only be passed with --input.
 */
export function flagsOf(root: JsonSchema, reserved: ReadonlySet<string>, { short = {} }: CliOptions = {}): Flag[] {
  const taken = new Set(reserved);
  const take = (name: string, kind: Flag['kind']): boolean => {
    const names = kind === 'switch' ? [name, `no-${name}`] : [name];
    const isFree = IS_FLAG.test(name) && !names.some((one) => taken.has(one));
    if (isFree) for (const one of names) taken.add(one);
    return isFree;
  };
  const flags = leafParametersOf(root)
    .map((leaf) => toFlag(leaf, root, short))
    .map((flag) => (reserved.has(flag.name) ? { ...flag, name: `arg-${flag.name}` } : flag))
    .filter(({ name, kind }) => take(name, kind));
  // A declared name takes precedence over another spelling.
  return flags.map((flag) => ({ ...flag, aliases: spellingsOf(flag.name).filter((name) => take(name, flag.kind)) }));
}

/** Flags for whole objects, as JSON: `--round '{"digits":2}'` beside `--round.digits 2`. Names of other flags take precedence. */
export function objectFlagsOf(root: JsonSchema, reserved: ReadonlySet<string>, flags: readonly Flag[]): Flag[] {
  const taken = new Set(reserved);
  for (const { name, aliases, kind } of flags) {
    for (const one of [name, ...aliases]) {
      taken.add(one);
      if (kind === 'switch') taken.add(`no-${one}`);
    }
  }
  const take = (name: string): boolean => IS_FLAG.test(name) && !taken.has(name) && Boolean(taken.add(name));
  return objectParametersOf(root)
    .map((object) => toFlag(object, root))
    .map((flag) => (reserved.has(flag.name) ? { ...flag, name: `arg-${flag.name}` } : flag))
    .filter(({ name }) => take(name))
    .map((flag) => ({ ...flag, aliases: spellingsOf(flag.name).filter(take) }));
}

const IS_FLAG = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

function toFlag(leaf: LeafParameter, root: JsonSchema, short: CliOptions['short'] = {}): Flag {
  const letter = Object.hasOwn(short, leaf.name) ? short[leaf.name] : undefined;
  return { ...leaf, kind: kindOf(leaf.schema), aliases: [], short: letter, root };
}

/** `--no-json` reads like the opposite of an option of ours; `--arg-no-json` does not. */
function spellingsOf(name: string): string[] {
  const kebab = name.split('.').map(toKebabCase).join('.');
  return [...(kebab === name ? [] : [kebab]), ...(name.startsWith('no-') ? [`arg-${name}`] : [])];
}

/** The parameters that are given by position, in their order. They need not be possible as flags. */
export function positionalsOf(root: JsonSchema, flags: readonly Flag[], { positional = [] }: CliOptions = {}): Flag[] {
  if (positional.length === 0) return [];
  const leaves = leafParametersOf(root);
  return positional.flatMap((name) => {
    const flag = flags.find(({ path }) => path.join('.') === name);
    const leaf = flag ?? leaves.find((one) => one.name === name);
    return leaf ? [flag ?? toFlag(leaf, root)] : [];
  });
}
