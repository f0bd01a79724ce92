import { ComponentNames, USED_BY_GENERATED_CODE, toPascalCase } from './names.ts';
import { outlineOf } from './type.ts';
import type { Type } from './type.ts';

/** Shorter schemas are not worth a reference, even if they are repeated. */
export const SMALL = 200;
/** Longer ones are shared even if they occur once, so that they have a name. */
const LARGE = 1000;

type Equal = (type: Type) => Type;

/** How often a type is written, and by which functions. */
interface Uses {
  count: number;
  readonly owners: Set<string>;
}

/** Decides which types become components, and gives each its name. */
export function nameSharedTypes(types: readonly Type[], placed: readonly Type[], equal: Equal): Map<Type, string> {
  const defined = new Set(types.filter(({ isDefinition }) => isDefinition).map(equal));
  const uses = countUses(placed, equal, defined);
  const shared = new Set([...uses].filter((use) => isShared(...use)).map(([type]) => type));
  // A type that contains itself cannot be written out.
  for (const type of defined) if (containsItself(type, shared, equal)) shared.add(type);

  const returned = new Set(types.filter(({ place }) => place.side === 'output').map(equal));
  // Authors' names come first, and of two types with the same name the one that callers receive; then our own.
  const rank = (type: Type) => {
    if (type.given === undefined) return 3;
    return type.place.owner === '' ? 2 : returned.has(type) ? 0 : 1;
  };
  const names = new ComponentNames();
  const inOrder = [...uses.keys()].filter((type) => shared.has(type)).toSorted((a, b) => rank(a) - rank(b));
  return new Map(inOrder.map((type) => [type, names.claim(candidatesFor(type, returned.has(type)))]));
}

/**
 * How often each type is written, in the order of first use, if only those are shared that must be. Where a schema is
 * placed does not count: small arguments stay inline, even if two functions have the same.
 */
function countUses(placed: readonly Type[], equal: Equal, defined: ReadonlySet<Type>): Map<Type, Uses> {
  const all = new Map<Type, Uses>();
  for (const type of placed) visit(equal(type), type.place.owner, 0);
  return all;

  function visit(type: Type, owner: string, more: 0 | 1): void {
    const known = all.get(type);
    const uses = known ?? { count: 0, owners: new Set() };
    all.set(type, uses);
    uses.count += more;
    uses.owners.add(owner);
    const isWrittenOnce = defined.has(type) || isShared(type, uses);
    if (known && isWrittenOnce) return;
    for (const inner of outlineOf(type).contained) visit(equal(inner), owner, 1);
  }
}

function isShared(type: Type, { count, owners }: Uses): boolean {
  if (type.given !== undefined) return true;
  const size = outlineOf(type).text.length;
  // The result of one function is not the type of another's, if they are small and the same by chance.
  const isChance = type.place.isOwned && owners.size > 1;
  return size >= LARGE || (count > 1 && size >= SMALL && !isChance);
}

/** Whether a type contains itself, other than inside of types that are shared. */
function containsItself(type: Type, shared: ReadonlySet<Type>, equal: Equal): boolean {
  const seen = new Set<Type>();
  const waiting = [type];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const inner of outlineOf(next).contained.map(equal)) {
      if (inner === type) return true;
      if (seen.has(inner) || shared.has(inner)) continue;
      seen.add(inner);
      waiting.push(inner);
    }
  }
  return false;
}

function candidatesFor({ given = '', place: { owner, name: derived } }: Type, isReturned: boolean): string[] {
  const name = /[A-Za-z0-9]/.test(given) ? given : derived;
  const isHiding = name !== given && USED_BY_GENERATED_CODE.has(name);
  return [
    ...(isHiding ? [] : [name]),
    ...(isReturned || name.endsWith('Input') ? [] : [`${name}Input`]),
    owner + toPascalCase(name),
    `${owner}${toPascalCase(name)}${isReturned ? 'Output' : 'Input'}`,
  ];
}
