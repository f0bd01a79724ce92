import { parseAst } from 'rolldown/parseAst';

/**
 * Escapes non-ASCII characters in string literals. A single one makes V8 store the whole script with two bytes per
 * character. Regular expressions and tagged templates stay as they are, since their source is observable.
 */
export function toAscii(code: string): string {
  if (!NON_ASCII.test(code)) return code;
  let ascii = '';
  let end = 0;
  for (const [from, to] of literalsIn(parseAst(code, { sourceType: 'commonjs' })).toSorted(([a], [b]) => a - b)) {
    ascii += code.slice(end, from) + escaped(code.slice(from, to));
    end = to;
  }
  return ascii + code.slice(end);
}

const NON_ASCII = /[^\0-\x7f]/;

type Range = readonly [from: number, to: number];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
}

function literalsIn(tree: unknown, inTag = false): Range[] {
  if (Array.isArray(tree)) return tree.flatMap((one) => literalsIn(one, inTag));
  if (typeof tree !== 'object' || tree === null) return [];
  const { type, start, end, value } = tree as Node;
  const isText = (type === 'Literal' && typeof value === 'string') || (type === 'TemplateElement' && !inTag);
  if (isText) return [[start, end]];
  return Object.entries(tree).flatMap(([key, inner]) =>
    literalsIn(inner, (type === 'TaggedTemplateExpression' && key === 'quasi') || (inTag && key === 'quasis')),
  );
}

/** A backslash escapes the next character; before a line separator it is a line continuation, which stays. */
function escaped(text: string): string {
  return text.replaceAll(/\\?[^\0-\x7f]|\\[^]/g, (found) => {
    const character = found.at(-1)!;
    if (character <= '\x7f' || /^\\[\u2028\u2029]/.test(found)) return found;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
