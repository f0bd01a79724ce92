import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Program, Type } from '../compiler/program.ts';
import { isBuiltIn } from './known-types.ts';
import { Refused } from './refused.ts';
import type { TypeReader } from './type-reader.ts';

/** Whether values of a type are arrays without its being one: `interface Tags extends Array<string> {}`, `Id[] & Brand`. */
export function isListLike(type: Type, program: Program): boolean {
  const properties = program.propertiesOf(type);
  // Strings have the first, typed arrays the second.
  return ['concat', 'every'].every((name) => properties.some((one) => one.name === name && isBuiltIn(one, program)));
}

/** An array. Fields of its own would be lost in JSON; brands, whose names start with `_`, are none. */
export function readListLike(reader: TypeReader, type: Type, node: Node | undefined): JsonSchema {
  const { program } = reader;
  const lost = program
    .propertiesOf(type)
    .find((one) => !one.name.startsWith('_') && !program.has(one, 'Method') && !isBuiltIn(one, program));
  if (lost) {
    throw new Refused(
      `An array has no field ${JSON.stringify(lost.name)} in JSON; use an object with the items and the field`,
      node,
    );
  }
  const items = program.indexesOf(type).find(({ key }) => program.isA(key, 'Number'))!;
  return { type: 'array', items: reader.readPresent(items.value, undefined, node) };
}
