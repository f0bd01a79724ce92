import { isBlob, isFileSchema } from '../file-form.ts';
import { NUMBER, booleanFromText } from '../from-text.ts';
import { CHECKED_BY_LIBRARY } from '../json-schema.ts';
import type { JsonSchema } from '../json-schema.ts';
import { lookUp } from '../pointer.ts';
import type { Problem } from '../problem.ts';
import { KEYWORDS } from './keywords.ts';
import { typeRule } from './type-rule.ts';
import { Report } from './report.ts';
import { Run } from './run.ts';
import { SchemaNode } from './schema-node.ts';
import type { Rule } from './schema-node.ts';

/** Validates values against the schemas of one document and explains what is wrong. */
export class Engine {
  readonly #nodes = new Map<JsonSchema | boolean, SchemaNode>();
  /** Targets of references. */
  readonly #targets = new Set<SchemaNode>();
  #hasBranches = false;

  constructor(private readonly root: JsonSchema) {}

  accepts(value: unknown, schema: JsonSchema | boolean = this.root, run = new Run()): boolean {
    return run.judge(this.node(schema), value);
  }

  /** A validator for many calls. */
  judgeOf(schema: JsonSchema | boolean): (value: unknown) => boolean {
    const node = this.node(schema);
    // Most schemas need no memo, so all calls can share one run.
    return this.needsMemo ? (value) => new Run().judge(node, value) : (value) => node.accepts(value, NO_MEMO);
  }

  /** Whether a schema may be applied to the same value several times, so that results must be memoized. */
  get needsMemo(): boolean {
    this.node(this.root);
    return this.#hasBranches && this.#targets.size > 0;
  }

  /** The problems of a value that is not accepted, up to a limit. */
  explain(value: unknown, schema: JsonSchema | boolean = this.root): readonly Problem[] {
    const report = new Report(this.root);
    this.node(schema).explain(value, undefined, report);
    return report.problems;
  }

  /** The compiled form of a schema that belongs to the document or refers into it. Cached. */
  node(schema: JsonSchema | boolean): SchemaNode {
    const known = this.#nodes.get(schema);
    if (known) return known;
    const node = this.#compile(schema);
    // Without branches no schema is applied twice to one value, and a memo would be useless.
    for (const target of this.#targets) target.isShared = this.#hasBranches;
    return node;
  }

  #compile(schema: JsonSchema | boolean): SchemaNode {
    const known = this.#nodes.get(schema);
    if (known) return known;
    const node = new SchemaNode(schema);
    this.#nodes.set(schema, node); // before its subschemas, which may refer to it
    if (schema === false) node.typeRule = NOTHING;
    if (typeof schema === 'boolean') return node;
    node.typeRule = typeRule(schema);
    if (schema[CHECKED_BY_LIBRARY] === 'coerced') node.typeRule = beforeCoercion(node.typeRule!, schema);
    const compilation = {
      root: this.root,
      schema,
      self: node,
      compile: (part: JsonSchema | boolean) => this.#compile(part),
      target: (ref: string) => this.#target(ref),
    };
    const isOthers = schema[CHECKED_BY_LIBRARY] === 'limits' || schema[CHECKED_BY_LIBRARY] === 'coerced';
    for (const [keyword, kind, compile] of rulesOf(schema)) {
      if (isOthers && LIMITS.test(keyword)) continue;
      const rule = compile(schema[keyword], compilation);
      if (rule) node[kind].push(rule);
      this.#hasBranches ||= BRANCHES.has(keyword) || (keyword === '$ref' && Object.keys(schema).length > 1);
    }
    node.settle();
    if (isFileSchema(schema)) acceptFiles(node);
    return node;
  }

  #target(ref: string): SchemaNode {
    const node = this.#compile((ref === '#' ? this.root : lookUp(this.root, ref)) as JsonSchema | boolean);
    this.#targets.add(node);
    return node;
  }
}

/** Leaves values of other types to the library, but not what `repair` reads, which loses no digit and knows "false". */
function beforeCoercion({ accepts, explain }: Rule, { type }: JsonSchema): Rule {
  const isRead = (text: string) => (type === 'boolean' ? booleanFromText(text) !== undefined : NUMBER.test(text));
  return {
    accepts: (value, run) => (value !== null && (typeof value !== 'string' || !isRead(value))) || accepts(value, run),
    explain,
  };
}

/** Keywords that a library may check after it has changed the value. */
const LIMITS = /^(?:format|pattern|uniqueItems|minimum|maximum|exclusiveM\w+|multipleOf|m(?:in|ax)(?:Length|Items))$/;

/** A file that was not read has no fields to check. */
function acceptFiles(node: SchemaNode): void {
  const { accepts } = node;
  node.accepts = (value, run) => isBlob(value) || accepts(value, run);
}

const NO_MEMO = new Run();

const ROWS = new Map(KEYWORDS.map((row, index) => [row[0], index]));

/** The table rows for a schema's keywords, in table order. */
function rulesOf(schema: JsonSchema): readonly (typeof KEYWORDS)[number][] {
  const found = Object.keys(schema).flatMap((keyword) => ROWS.get(keyword) ?? []);
  return found.sort((a, b) => a - b).map((index) => KEYWORDS[index]!);
}

/** Keywords that apply several schemas to the same value or part of it. */
const BRANCHES = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'not',
  'contains',
  'patternProperties',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

const NOTHING: Rule = {
  accepts: () => false,
  explain: (_, place, report) => report.add(place, 'not allowed here'),
};

const engines = new WeakMap<JsonSchema, Engine>();

/** The engine of a document. Cached. */
export function engineOf(root: JsonSchema): Engine {
  let engine = engines.get(root);
  if (!engine) engines.set(root, (engine = new Engine(root)));
  return engine;
}
