import { LONGEST_NUMBER, canonical } from './exact-number.ts';
import { parseJson } from './parse-json.ts';

/** Parses a number; undefined if the string is no number or the conversion would lose digits. */
export function numberFromText(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  if (text.length < 16 && SHORT.test(text)) return number === 0 ? 0 : number;
  if (!Number.isFinite(number) || canonical(text) !== canonical(String(number))) return undefined;
  return number === 0 ? 0 : number; // "-0" is zero
}

/** Fast path: integers of fewer than 16 characters are always exact. */
const SHORT = /^-?\d+$/;
/** How a number is written in JSON. */
export const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function booleanFromText(text: string): boolean | undefined {
  return BOOLEANS.get(text);
}

/** Parses a JSON object or array; undefined for anything else. */
export function structureFromText(text: string): object | undefined {
  if (!/^[ \t\r\n]*[[{]/.test(text)) return undefined;
  try {
    return parseJson(text) as object;
  } catch {
    return undefined; // not JSON
  }
}
