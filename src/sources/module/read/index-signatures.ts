import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Type } from '../compiler/program.ts';
import { readTemplate } from './templates.ts';
import type { TypeReader } from './type-reader.ts';

const NUMERIC = String.raw`^-?\d+(?:\.\d+)?$`;

/** What a type says about fields that it does not name; undefined if it says nothing. */
export function readIndexes(reader: TypeReader, type: Type, node: Node | undefined): JsonSchema | undefined {
  const { program } = reader;
  const indexes = program.indexesOf(type).filter(({ key }) => !program.isA(key, 'ESSymbol'));
  if (indexes.length === 0) return undefined;
  const hint = annotation(reader, type);
  const patterns: [string, JsonSchema][] = [];
  let others: JsonSchema | undefined;
  for (const { key, value } of indexes) {
    const schema = reader.readPresent(value, hint, node);
    if (program.isA(key, 'String')) others = schema;
    else if (program.isA(key, 'Number')) patterns.push([NUMERIC, schema]);
    else if (program.isA(key, 'TemplateLiteral'))
      patterns.push([readTemplate(key, program)['pattern'] as string, schema]);
  }
  if (others) return { additionalProperties: others };
  if (patterns.length === 0) return { additionalProperties: {} };
  return { patternProperties: Object.fromEntries(patterns), additionalProperties: false };
}

/** The annotation of the values: of `Record<string, int>` and `{ [name: string]: int }`, `int`. */
function annotation({ program }: TypeReader, type: Type): Node | undefined {
  const symbol = program.symbolOf(type);
  for (const declaration of symbol ? program.declarations(symbol) : []) {
    const index = (declaration.members ?? []).find((member) => program.is(member, 'IndexSignature'));
    if (index) return index.type;
  }
  return undefined;
}
