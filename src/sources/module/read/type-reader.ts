import { mapSchemas } from '../../../schema/embed.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { inKeywordOrder } from '../../../schema/keyword-order.ts';
import type { Node, Program, Type } from '../compiler/program.ts';
import { readArray, readTuple } from './array-types.ts';
import { Hints } from './hints.ts';
import { readKnown } from './known-reader.ts';
import { BIGINT } from './known-types.ts';
import { nameOfType } from './names.ts';
import { readIntersection } from './intersections.ts';
import { isOwn } from './own-types.ts';
import { readObject } from './object-types.ts';
import { isOpen } from './primitives.ts';
import { ANY_RESULT, Refused, TooLarge, UNRESOLVED } from './refused.ts';
import { INTEGER, isIntegerName, withTags } from './schema-tags.ts';
import { readMapping, readTemplate } from './templates.ts';
import { readUnion } from './unions.ts';

export type Side = 'input' | 'output';

/** Levels of a type. Types that grow with each level have no end. */
const DEEPEST = 40;
/** Schemas in one parameter or result: in place, and with shared definitions. */
const LARGEST = 2000;
const LARGEST_SHARED = 20_000;

/** Turns types into JSON Schema. One reader for one schema: recursive types become its definitions. */
export class TypeReader {
  readonly hints: Hints;
  readonly #open = new Map<number, { name: string | undefined; isUsed: boolean }>();
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #shared = new Map<number, string>();
  /** How often each name has been wanted. */
  readonly #names = new Map<string, number>();
  #depth = 0;
  #count = 0;

  constructor(
    readonly program: Program,
    readonly side: Side,
    /** Named types become definitions even if they are not recursive. */
    private readonly shares = false,
  ) {
    this.hints = new Hints(program);
  }

  /** A schema with the definitions that it refers to. */
  whole(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    return this.withDefinitions(this.read(type, hint, node));
  }

  withDefinitions(schema: JsonSchema): JsonSchema {
    const whole = this.#definitions.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(this.#definitions) };
    return inOrder(whole);
  }

  /** `hint` is the annotation, if there is one. `node` is what a refusal points to. */
  read(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    if (++this.#count > (this.shares ? LARGEST_SHARED : LARGEST)) throw new TooLarge();
    if (++this.#depth > DEEPEST) {
      throw new Refused(`The type is nested deeper than ${DEEPEST} levels, or without end; use a smaller one`, node);
    }
    try {
      return this.#named(type, hint, node);
    } finally {
      this.#depth--;
    }
  }

  /** Like `read`, where a value cannot be left out: in a result, `undefined` is sent as null. */
  readPresent(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    const known = this.#known(type);
    if (this.side === 'input' || !this.mayBeUndefined(known) || !this.program.isA(known, 'Union')) {
      return this.read(type, hint, node);
    }
    return orNull(this.read(type, hint, node));
  }

  /** The members of a union, or the type itself, without `undefined`. */
  present(type: Type): readonly Type[] {
    const { program } = this;
    const members = program.isA(type, 'Union') && !program.isA(type, 'Boolean') ? program.membersOf(type) : [type];
    return members.filter((member) => !program.isA(member, 'Undefined') && !program.isA(member, 'Void'));
  }

  mayBeUndefined(type: Type): boolean {
    const { program } = this;
    const known = this.#known(type);
    const members = program.isA(known, 'Union') ? program.membersOf(known) : [known];
    return members.some((member) => program.isA(member, 'Undefined') || program.isA(member, 'Void'));
  }

  #known(type: Type): Type {
    return isOpen(type, this.program) ? (this.program.constraintOf(type) ?? type) : type;
  }

  text(type: Type): string {
    const text = this.program.text(type);
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }

  #named(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    if (!this.#mayRecur(type)) return this.#tagged(type, hint, node);
    const open = this.#open.get(type.id);
    if (open) {
      open.isUsed = true;
      open.name ??= this.#newName(type);
      return { $ref: `#/$defs/${open.name}` };
    }
    const shared = this.#shared.get(type.id);
    if (shared !== undefined) return { $ref: `#/$defs/${shared}` };
    const entry: { name: string | undefined; isUsed: boolean } = { name: undefined, isUsed: false };
    this.#open.set(type.id, entry);
    const schema = this.#tagged(type, hint, node);
    this.#open.delete(type.id);
    if (!entry.isUsed && !(this.shares && schema.type === 'object')) return schema;
    entry.name ??= this.#newName(type);
    this.#definitions.set(entry.name, schema);
    this.#shared.set(type.id, entry.name);
    return { $ref: `#/$defs/${entry.name}` };
  }

  #mayRecur(type: Type): boolean {
    const { program } = this;
    // Not `Order[]`: the name is that of Order. Only an alias can be a list of itself.
    if (program.isA(type, 'Object')) return !program.isArray(type) || program.aliasOf(type) !== undefined;
    if (program.isA(type, 'Intersection')) return true;
    // Not `Order | undefined`: the name is that of Order.
    return program.isA(type, 'Union') && !program.isA(type, 'Boolean') && this.present(type).length > 1;
  }

  #newName(type: Type): string {
    const wanted = nameOfType(type, this.program);
    let count = (this.#names.get(wanted) ?? 0) + 1;
    const name = () => (count === 1 ? wanted : `${wanted}${count}`);
    while (count > 1 && this.#names.has(name())) count++;
    this.#names.set(wanted, count);
    this.#names.set(name(), Math.max(1, this.#names.get(name()) ?? 0));
    return name();
  }

  /** Adds what the aliases of the annotation say: the outermost last. */
  #tagged(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    let schema = this.#untagged(type, hint, node);
    const aliases = this.hints.aliases(hint).filter((alias) => (alias.typeParameters ?? []).length === 0);
    for (const alias of aliases.toReversed()) {
      const { text: name = '' } = alias.name ?? {};
      // Not a union of literals that has such a name.
      const isInteger = isIntegerName(name) && schema.type === 'number' && !('enum' in schema || 'const' in schema);
      if (isInteger) schema = asInteger(schema);
      // The comment on `int` in this package does not document a parameter.
      if (!isIntegerName(name) || !this.#isOwnInt(alias)) schema = withTags(schema, this.hints.docs(alias));
    }
    return schema;
  }

  #isOwnInt(alias: Node): boolean {
    const symbol = alias.name && this.program.symbolAt(alias.name);
    return symbol !== undefined && isOwn(symbol, 'schema/int', this.program);
  }

  #untagged(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    const { program } = this;
    const is = (flag: string) => program.isA(type, flag);
    if (program.isError(type)) throw new Refused(UNRESOLVED, hint ?? node);
    // It may be what becomes of a type in a library that was not read.
    if (is('Any') && program.lacksLibraries) throw new Refused(UNRESOLVED, hint ?? node);
    if (is('Any') && this.side === 'output') throw new Refused(ANY_RESULT, hint ?? node);
    if (is('Any') || is('Unknown')) return {};
    if (is('Union') && !is('Boolean')) return readUnion(this, type, hint, node);
    if (is('StringLiteral')) return { type: 'string', const: program.literal(type) };
    if (is('NumberLiteral')) return readNumber(program.literal(type) as number, node);
    if (is('BigIntLiteral')) return { ...BIGINT, const: String(program.literal(type)) };
    if (is('BooleanLiteral')) return { type: 'boolean', const: program.literal(type) };
    if (is('String')) return { type: 'string' };
    if (is('StringMapping')) return readMapping(type, program, node);
    if (is('Number') || is('Enum')) return { type: 'number' };
    if (is('Boolean')) return { type: 'boolean' };
    if (is('BigInt')) return BIGINT;
    if (is('Null') || is('Undefined') || is('Void')) return { type: 'null' };
    if (is('TemplateLiteral')) return readTemplate(type, program, node);
    if (is('ESSymbol') || is('UniqueESSymbol')) throw new Refused('A symbol has no form in JSON; use a string', node);
    if (is('Never')) throw new Refused('No value has the type never; declare the type that is meant', node);
    if (is('NonPrimitive')) return { type: 'object' };
    if (is('Intersection')) return readIntersection(this, type, node);
    if (is('Object')) return this.#object(type, hint, node);
    return this.read(this.constraint(type, node), undefined, node);
  }

  /** What is known of a type that callers decide. */
  constraint(type: Type, node: Node | undefined): Type {
    const constraint = this.program.constraintOf(type);
    if (constraint && constraint.id !== type.id && !this.program.isA(constraint, 'Unknown')) return constraint;
    throw new Refused(
      `${this.text(type)} can be any type; give it a constraint (<${this.text(type)} extends …>), or use the type that is meant`,
      node,
    );
  }

  #object(type: Type, hint: Node | undefined, node: Node | undefined): JsonSchema {
    if (this.program.isArray(type)) return readArray(this, type, hint, node);
    const elements = this.program.elementsOf(type);
    if (elements) return readTuple(this, elements, hint, node);
    return readKnown(this, type, hint, node) ?? readObject(this, type, hint, node);
  }
}

const asInteger = (schema: JsonSchema): JsonSchema => ({ ...INTEGER, ...schema, type: 'integer' });

/** As schema libraries write it. */
function inOrder(schema: JsonSchema): JsonSchema {
  return inKeywordOrder(mapSchemas(schema, inOrder));
}

function orNull(schema: JsonSchema): JsonSchema {
  const NULL: JsonSchema = { type: 'null' };
  const keywords = Object.keys(schema);
  if (keywords.length === 0) return schema;
  if (keywords.length === 1 && schema.type) return { type: [...new Set([schema.type, 'null'].flat())] };
  const branches = keywords.length === 1 ? (schema['anyOf'] as readonly JsonSchema[] | undefined) : undefined;
  return { anyOf: [...(branches ?? [schema]).filter(({ type }) => type !== 'null'), NULL] };
}

function readNumber(value: number, node: Node | undefined): JsonSchema {
  if (!Number.isFinite(value)) throw new Refused(`${value} has no form in JSON`, node);
  return { type: 'number', const: value };
}
