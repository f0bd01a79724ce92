import { toKebabCase } from '../../core/names.ts';
import type { Registry } from '../../core/registry.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';

/** The functions as nested commands: `orders list` is orders.List. */
export interface CommandTree {
  /** The words that lead here. */
  readonly words: readonly string[];
  /** The group as its author spells it, which is also its tag; empty at the root. */
  readonly group: string;
  /** A function and a group may share a name: `orders` and orders.List. */
  readonly fn?: RegisteredFunction;
  readonly inner: ReadonlyMap<string, CommandTree>;
}

interface GrowingTree extends CommandTree {
  fn?: RegisteredFunction;
  readonly inner: Map<string, GrowingTree>;
}

export function commandTree({ functions }: Pick<Registry, 'functions'>): CommandTree {
  const root: GrowingTree = { words: [], group: '', inner: new Map() };
  for (const fn of functions) {
    let node = root;
    for (const [i, word] of fn.words.entries()) {
      let next = node.inner.get(word);
      if (!next) {
        const group = fn.name
          .split('.')
          .slice(0, i + 1)
          .join('.');
        next = { words: fn.words.slice(0, i + 1), group, inner: new Map() };
        node.inner.set(word, next);
      }
      node = next;
    }
    node.fn = fn;
  }
  return root;
}

/** What typed words name: a function, a group, or both. `rest` is what follows. */
export interface FoundCommand {
  readonly fn: RegisteredFunction | undefined;
  readonly group: CommandTree | undefined;
  readonly rest: readonly string[];
}

/**
 * Finds a function by nested commands (`orders list`), or by any of its names as one word (`orders-list`, `orders.List`). A
 * word after a group that names one of its functions is never an argument.
 */
export function findCommand(app: Registry, words: readonly string[]): FoundCommand | undefined {
  const [first = '', ...others] = words;
  let node = commandTree(app);
  let used = 0;
  for (const word of words) {
    const next = word.length > LONGEST ? undefined : node.inner.get(toKebabCase(word));
    if (!next) break;
    node = next;
    used++;
  }
  const exact = used > 1 ? undefined : app.find(first);
  if (used === 0 || (exact && exact !== node.fn)) {
    const fn = exact ?? app.functions.find(({ command }) => command === first.toLowerCase());
    return fn && { fn, group: undefined, rest: others };
  }
  return { fn: node.fn, group: node.inner.size > 0 ? node : undefined, rest: words.slice(used) };
}

/** No name is longer. */
const LONGEST = 128;
