/**
 * Gives the components of one kind their names. Names are compared without case and punctuation: generators turn them
 * into identifiers and files.
 */
export class ComponentNames {
  readonly #taken = new Set<string>();

  /** The first candidate that is free. A number is added only if all of them are taken. */
  claim(candidates: readonly string[]): string {
    const names = candidates.map(toComponentName).filter((name) => name !== '');
    const first = names[0] ?? 'Schema';
    let free = names.find((name) => !this.#taken.has(fold(name)));
    for (let n = 2; free === undefined; n++) free = this.#taken.has(fold(`${first}${n}`)) ? undefined : `${first}${n}`;
    this.#taken.add(fold(free));
    return free;
  }
}

const fold = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const LONGEST = 80;

/** An author's name with only the characters that OpenAPI allows; empty if nothing is left of it. */
function toComponentName(wanted: string): string {
  const name = wanted
    // More could not remain. Also bounds the work.
    .slice(0, 4 * LONGEST)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    // `__proto__` is a trap for every tool that keeps names in an object, and so are the names below.
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, LONGEST);
  if (/^\d/.test(name)) return `Schema${name}`;
  return name in Object.prototype ? toPascalCase(name) : name;
}

/** `order_lines`, `order-lines`, `ORDER_LINES` and `orderLines` become `OrderLines`. */
export function toPascalCase(text: string): string {
  const words = text.slice(0, 4 * LONGEST).split(/[^A-Za-z0-9]+/);
  const isUpperCase = !/[a-z]/.test(text);
  return words
    .map((word) => word.slice(0, 1).toUpperCase() + (isUpperCase ? word.slice(1).toLowerCase() : word.slice(1)))
    .join('');
}

/** The name of one item of a list: `OrderLine` for `OrderLines`, `DataItem` for `Data`. */
export function toItemName(list: string): string {
  const singular = list.replace(/ies$/, 'y').replace(/([^su])s$/, '$1');
  return singular === list ? `${list}Item` : singular;
}

/** Types that generated code uses itself. A name that we choose must not hide them. */
export const USED_BY_GENERATED_CODE: ReadonlySet<string> = new Set(
  (
    'Array Blob Boolean Buffer Client Config Data Date Error File FormData Function Headers Map Number Object Omit ' +
    'Options Partial Promise Record Request RequestInit Response Set String Symbol Url'
  ).split(' '),
);
