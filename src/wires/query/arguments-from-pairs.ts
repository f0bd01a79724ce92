import { allowsType } from '../../schema/allows-type.ts';
import { findExcess } from '../../schema/bounds.ts';
import type { Bounds } from '../../schema/bounds.ts';
import { shortPointer } from '../../schema/engine/place.ts';
import { describeFile, isFileSchema } from '../../schema/file-form.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { listFromTexts } from '../../schema/list-from-texts.ts';
import { MAX_PROBLEMS, expectation } from '../../schema/problem.ts';
import type { Problem } from '../../schema/problem.ts';
import { repair } from '../../schema/repair.ts';
import { resolve } from '../../schema/schema-tree.ts';
import { applicableSchemas, childSchemas } from '../../schema/secrets.ts';
import type { Pairs } from './url-encoded.ts';

/** Where a value goes: the strings that were given for it, or the fields of an object. */
interface Node {
  /** As written at its parent, before references and unions; empty if nothing describes it. */
  readonly declared: readonly JsonSchema[];
  readonly texts: string[];
  readonly files: File[];
  fields: Map<string, Node> | undefined;
  /** All schemas that may apply; computed once, however many fields there are. */
  schemas: ReadonlySet<JsonSchema> | undefined;
}

const createNode = (declared: Iterable<unknown>): Node => ({
  declared: [...declared].filter(isRecord),
  texts: [],
  files: [],
  fields: undefined,
  schemas: undefined,
});

/**
 * The arguments that the names and values of a query or a form stand for. `address.city` is a field of an object, a
 * repeated name is a list. Strings are repaired by the schema, whether or not the function has `coerce: false`: there is no
 * other way to send a number.
 */
export function argumentsFromPairs(
  pairs: Pairs<string | File>,
  root: JsonSchema,
  bounds: Bounds,
): { readonly input: unknown } | { readonly problems: readonly Problem[] } {
  const top = createNode([root]);
  let keys = 0;
  for (const [name, text] of pairs) {
    if (keys > bounds.keys) break; // the pipeline refuses it, whatever follows
    const node = nodeAt(top, pathOf(name, root, bounds.depth));
    if (typeof text === 'string') node.texts.push(text);
    else node.files.push(text);
  }
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
        keys++;
        node.schemas ??= applicableSchemas(node.declared, root);
        fields.set(key, (next = createNode(childSchemas(node.schemas, key))));
      }
      node = next;
    }
    return node;
  }

  function valueOf({ declared, texts, files, fields }: Node, path: string[]): unknown {
    if (fields) {
      if (texts.length + files.length > 0) add(path, 'given as a value and as an object');
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
    if (files.length > 0) return filesOf({ declared, texts, files }, path);
    const allows = (type: string) => declared.length === 0 || declared.some((one) => allowsType(one, type, root));
    const isTwice = texts.length > 1;
    if (isTwice && !allows('array')) {
      const expected = declared.map((schema) => expectation(resolve({ schema, root })));
      add(path, `given ${texts.length} times, expected ${expected.join(' or ')}`);
    }
    if (!isTwice && (!allows('array') || OTHERS.some(allows))) return texts[0];
    const [schema, ...unions] = declared;
    return schema && unions.length === 0 ? listFromTexts(texts, schema, root) : texts;
  }

  /** One file, or a list of them. */
  function filesOf({ declared, texts, files }: Pick<Node, 'declared' | 'texts' | 'files'>, path: string[]): unknown {
    // Nothing describes it: the bytes are dropped.
    if (declared.length === 0) return files.map(describeFile);
    const schemas = [...applicableSchemas(declared, root)];
    const items = applicableSchemas(childSchemas(schemas, 0), root);
    const isOne = schemas.some(isFileSchema);
    const isList = [...items].some(isFileSchema);
    const expected = declared.map((schema) => expectation(resolve({ schema, root }))).join(' or ');
    if (!isOne && !isList) add(path, `expected ${expected}, got a file`);
    else if (texts.length > 0) add(path, 'given as a file and as text');
    else if (!isList && files.length > 1) add(path, `given ${files.length} times, expected ${expected}`);
    return isOne && files.length === 1 ? files[0] : files;
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

/** What one string may stand for, other than a list. */
const OTHERS = ['string', 'number', 'integer', 'boolean', 'object'];
