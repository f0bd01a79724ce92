/** Bytes that are parsed without a look at them first: of so few, even the deepest nesting costs nothing to speak of. */
export const FEW = 16_384;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// `[` and `{` differ in one bit, and so do `]` and `}`.
const CASE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * JSON in UTF-8 without what is nested deeper than so many levels: the first level too many is left, empty. To parse
 * a megabyte of brackets takes V8 some tenths of a second, and whoever asks for the bounds of the result refuses it anyhow,
 * at the same place and in the same words.
 */
export function shallow(json: Uint8Array, depth: number): Uint8Array {
  if (json.length <= FEW) return json;
  const kept: Uint8Array[] = [];
  let level = 0;
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) at = endOfText(json, at);
    else if ((byte | CASE) === OPENING) {
      if (++level === depth + 1) kept.push(json.subarray(from, at + 1));
    } else if ((byte | CASE) === CLOSING && --level === depth) from = at;
  }
  if (kept.length === 0) return json;
  // What was never closed ends where it became too deep, and is not JSON.
  if (level <= depth) kept.push(json.subarray(from));
  return joined(kept);
}

/** Where a text ends, which may be the end of everything. */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
