import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Element, Node, Type } from '../compiler/program.ts';
import { Refused } from './refused.ts';
import type { TypeReader } from './type-reader.ts';

export function readArray(reader: TypeReader, type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
  const [item] = reader.program.typeArguments(type);
  // No value is of this type: what is inferred from `[]`.
  if (reader.program.isA(item!, 'Never')) return { type: 'array', items: false, maxItems: 0 };
  return { type: 'array', items: reader.readPresent(item!, reader.hints.item(hint), node) };
}

export function readTuple(
  reader: TypeReader,
  elements: readonly Element[],
  hint: Node | undefined,
  node: Node | undefined,
): JsonSchema {
  const hints = reader.hints.elements(hint);
  const schemas = elements.map((element, i) => {
    const inner = reader.hints.bare(hints[i]);
    if (element.kind === 'optional') return reader.read(element.type, inner, node);
    return reader.readPresent(element.type, element.kind === 'rest' ? reader.hints.item(inner) : inner, node);
  });
  const rest = elements.findIndex(({ kind }) => kind === 'rest');
  const required = elements.filter(({ kind }) => kind === 'required').length;
  const fixed = rest === -1 ? schemas : schemas.slice(0, rest);
  if (rest !== -1 && rest < elements.length - 1) {
    // JSON Schema cannot say what comes last in a list of any length, so nothing would check what callers send.
    if (reader.side === 'input')
      throw new Refused(
        'What comes after the rest of a list cannot be checked; put the rest last, or use fields',
        node,
      );
    const others = { items: anyOf(schemas.slice(rest)), minItems: required };
    return { type: 'array', ...(fixed.length > 0 && { prefixItems: fixed }), ...others };
  }
  return {
    type: 'array',
    ...(fixed.length > 0 && { prefixItems: fixed }),
    items: rest === -1 ? false : schemas[rest]!,
    minItems: required,
    ...(rest === -1 && { maxItems: fixed.length }),
  };
}

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? different[0]! : { anyOf: different };
}
