import { findExcess } from '../../schema/bounds.ts';
import type { Bounds } from '../../schema/bounds.ts';
import { shortPointer } from '../../schema/engine/place.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { listFromTexts } from '../../schema/list-from-texts.ts';
import { MAX_PROBLEMS } from '../../schema/problem.ts';
import type { Problem } from '../../schema/problem.ts';
import { repair } from '../../schema/repair.ts';
import { typesOf } from '../../schema/schema-tree.ts';
import { applicableSchemas, childSchemas } from '../../schema/secrets.ts';
import type { Pairs } from './url-encoded.ts';

/** Where a value goes: the strings that were given for it, or the fields of an object. */
interface Node {
  /** As written at its parent, before references and unions. */
  readonly declared: ReadonlySet<unknown>;
  readonly texts: string[];
  fields: Map<string, Node> | undefined;
  /** All schemas that may apply; computed once, however many fields there are. */
  schemas: ReadonlySet<JsonSchema> | undefined;
}

const createNode = (declared: ReadonlySet<unknown>): Node => ({
  declared,
  texts: [],
  fields: undefined,
  schemas: undefined,
});

/**
 * The arguments that the names and values of a query or a form stand for. `address.city` is a field of an object, a
 * repeated name is a list. Strings are repaired by the schema, whether or not the function has `coerce: false`: there is no
 * other way to send a number.
 */
export function argumentsFromPairs(
  pairs: Pairs,
  root: JsonSchema,
  bounds: Bounds,
): { readonly input: unknown } | { readonly problems: readonly Problem[] } {
  const top = createNode(new Set([root]));
  for (const [name, text] of pairs) nodeAt(top, pathOf(name, root, bounds.depth)).texts.push(text);
  const problems: Problem[] = [];
  const input = valueOf(top, []);
  if (problems.length > 0) return { problems };
  // What exceeds the bounds is left for the pipeline to report.
  return { input: findExcess(input, bounds) ? input : repair(input, root, root).value };

  function nodeAt(start: Node, path: readonly string[]): Node {
    let node = start;
    for (const key of path) {
      const fields = (node.fields ??= new Map<string, Node>());
      let next = fields.get(key);
      if (!next) {
        node.schemas ??= applicableSchemas(node.declared, root);
        fields.set(key, (next = createNode(childSchemas(node.schemas, key))));
      }
      node = next;
    }
    return node;
  }

  function valueOf({ declared, texts, fields }: Node, path: string[]): unknown {
    if (fields) {
      if (texts.length > 0) add(path, 'given as a value and as an object');
      return Object.fromEntries(
        Array.from(fields, ([key, field]) => {
          path.push(key);
          const entry = [key, valueOf(field, path)] as const;
          path.pop();
          return entry;
        }),
      );
    }
    if (path.length === 0) return {};
    const types = typesIn(applicableSchemas(declared, root));
    const mayBeList = types.size === 0 || types.has('array');
    if (texts.length > 1 && !mayBeList) add(path, `given ${texts.length} times, expected ${[...types].join(' or ')}`);
    const isList = texts.length > 1 ? mayBeList : types.size === 1 && mayBeList;
    if (!isList) return texts[0];
    const [schema, ...others] = declared;
    return schema && others.length === 0 ? listFromTexts(texts, schema as JsonSchema, root) : texts;
  }

  function add(path: readonly string[], message: string): void {
    if (problems.length < MAX_PROBLEMS) problems.push({ pointer: shortPointer(path), message });
  }
}

/** The path of a name: a parameter of that name, or else a step at each dot. One level more than allowed is kept. */
function pathOf(name: string, root: JsonSchema, depth: number): readonly string[] {
  if (!name.includes('.') || (root.properties && Object.hasOwn(root.properties, name))) return [name];
  return name.split('.', depth + 1);
}

/** The types that the schemas name, without null, which a string cannot be. */
function typesIn(schemas: ReadonlySet<JsonSchema>): ReadonlySet<string> {
  const types = new Set<string>();
  for (const schema of schemas) for (const type of typesOf(schema) ?? []) if (type !== 'null') types.add(type);
  return types;
}
