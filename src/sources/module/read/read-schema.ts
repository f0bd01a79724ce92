import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Program, Type } from '../compiler/program.ts';
import { Refused, TooLarge } from './refused.ts';
import { TypeReader } from './type-reader.ts';
import type { Side } from './type-reader.ts';

/** Reads one type as a schema of its own. */
export function readSchema(
  program: Program,
  side: Side,
  type: Type,
  hint: Node | undefined,
  node: Node | undefined,
): JsonSchema {
  return sized(program, side, node, (reader) => reader.withDefinitions(reader.readPresent(type, hint, node)));
}

/** Types are written out in place, unless that becomes too large. */
export function sized(
  program: Program,
  side: Side,
  node: Node | undefined,
  read: (reader: TypeReader) => JsonSchema,
): JsonSchema {
  for (const shares of [false, true]) {
    try {
      return read(new TypeReader(program, side, shares));
    } catch (thrown) {
      if (!(thrown instanceof TooLarge)) throw thrown;
    }
  }
  throw new Refused('The type is too large; use a smaller one', node);
}
