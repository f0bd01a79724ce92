import { dirname, relative } from 'node:path';
import type { Node, SourceFile } from '../compiler/program.ts';
import type { Position, Refusal } from '../description.ts';

/** Replaced with what the compiler says, where it says something. */
export const UNRESOLVED = 'The compiler does not know this type';

/** Fields that are not declared are not sent, and `any` declares none: it would send all that an object has. */
export const ANY_RESULT =
  'The result is any, so nobody knows what is sent; declare its type, or unknown to send all that there is';

/** Thrown where a function cannot be served. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly reason: string,
    /** The closest node that the author can change. */
    readonly node: Node | undefined,
  ) {
    super(reason);
  }
}

/** Thrown where a type is too large to be written out in place. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export function positionOf(file: SourceFile, at: number, modulePath: string): Position {
  const before = file.text.slice(0, at);
  const line = before.split('\n').length;
  return {
    file: relativePath(file.fileName, modulePath),
    line,
    column: at - (before.lastIndexOf('\n') + 1) + 1,
  };
}

export function toRefusal(name: string, reason: string, file: SourceFile, at: number, modulePath: string): Refusal {
  const position = positionOf(file, at, modulePath);
  const source = (file.text.split('\n')[position.line - 1] ?? '').replace(/\r$/, '');
  return { name, ...position, source, reason };
}

function relativePath(file: string, modulePath: string): string {
  return relative(dirname(modulePath), file).replaceAll('\\', '/');
}
