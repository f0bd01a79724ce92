import { InexactNumber, parseJson } from '../../schema/parse-json.ts';
import { pointerTo } from '../../schema/pointer.ts';
import type { Problem } from '../../schema/problem.ts';
import { writeJson as write } from '../../schema/write-json.ts';

/** Text that is no JSON, in the place of the value that it should be: it is shown, and never sent. */
export class UnreadText {
  constructor(
    readonly text: string,
    readonly mistake: string,
  ) {}
}

/** What was typed, as the server would read it. */
export function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    return new UnreadText(text, (error as Error).message);
  }
}

/** JSON with numbers and unread text as they were typed. */
export const writeJson = (value: unknown, indent?: number): string => write(value, indent, textOf);

const textOf = (value: unknown) =>
  value instanceof InexactNumber || value instanceof UnreadText ? value.text : undefined;

/** Where text stands that could not be read. */
export function unreadIn(value: unknown, pointer = ''): readonly Problem[] {
  if (typeof value !== 'object' || value === null || value instanceof InexactNumber) return [];
  if (value instanceof UnreadText) return [{ pointer, message: `no JSON: ${value.mistake}` }];
  return Object.entries(value).flatMap(([key, inner]) => unreadIn(inner, pointerTo(pointer, key)));
}

/** An object of JSON: not a list, and nothing that stands for a value. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof InexactNumber) &&
  !(value instanceof UnreadText);
