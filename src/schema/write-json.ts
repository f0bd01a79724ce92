import { InexactNumber } from './parse-json.ts';

/** JSON of what `parseJson` has read: numbers that JavaScript would round are as they were written. */
export function writeJson(value: unknown, indent?: number, textOf = textOfNumber): string {
  const raw: string[] = [];
  // Random, so that no string of a caller can be mistaken for one of ours.
  const MARK = (mark ??= `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`);
  const write = (_: string, inner: unknown) => {
    const text = textOf(inner);
    return text === undefined ? inner : `${MARK}${raw.push(text) - 1}`;
  };
  const marked = JSON.stringify(value, write, indent);
  if (raw.length === 0) return marked;
  return marked.replaceAll(new RegExp(`"${MARK}(\\d+)"`, 'g'), (_, i: string) => raw[Number(i)]!);
}

const textOfNumber = (value: unknown) => (value instanceof InexactNumber ? value.text : undefined);

let mark: string | undefined;
