import type { Summary } from './types.ts';

/** A line of the list: a function, or the heading of those that follow. */
export interface Row {
  readonly key: string;
  readonly heading: string;
  readonly fn?: Summary;
}

/** The functions that match every word of a search: first those without a tag or group, then the others under theirs. */
export function rowsOf(functions: readonly Summary[], search: string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  // Functions without a group have no heading: below a group, they would look like members of it.
  const groups = new Map<string, Summary[]>([['', []]]);
  for (const fn of functions) {
    if (words.length > 0 && !words.every((word) => textOf(fn).includes(word))) continue;
    const [heading = ''] = fn.tags ?? [fn.group ?? ''];
    const group = groups.get(heading);
    if (group) group.push(fn);
    else groups.set(heading, [fn]);
  }
  return [...groups].flatMap(([heading, members]) => [
    ...(heading === '' ? [] : [{ key: `# ${heading}`, heading }]),
    ...members.map((fn) => ({ key: fn.name, heading, fn })),
  ]);
}

const texts = new WeakMap<Summary, string>();

function textOf(fn: Summary): string {
  let text = texts.get(fn);
  if (text === undefined) {
    const { name, title, description, tags = [] } = fn;
    texts.set(fn, (text = [name, title, description, ...tags].join(' ').toLowerCase()));
  }
  return text;
}
