import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Place } from './place.ts';

/** A part of a schema that may become a component. */
export interface Type {
  readonly place: Place;
  /** The name that the author gave it. */
  readonly given: string | undefined;
  /** Whether more than one place leads to it. */
  isDefinition: boolean;
  /** Its schema, with links where it contains other types. */
  body: JsonSchema | Link;
}

/** Stands for a type in the body of another. */
export class Link {
  constructor(
    readonly type: Type,
    /** What is said about it here, such as a description. */
    readonly siblings: JsonSchema = {},
  ) {}
}

/** What a type says itself, and the types that it contains. */
interface Outline {
  readonly text: string;
  /** The same, without that objects have no additional properties. */
  readonly openText: string;
  readonly contained: readonly Type[];
}

const outlines = new WeakMap<Type, Outline>();

/** The outline of a type whose body is complete. */
export function outlineOf(type: Type): Outline {
  let outline = outlines.get(type);
  if (!outline) outlines.set(type, (outline = createOutline(type)));
  return outline;
}

function createOutline({ body }: Type): Outline {
  const contained: Type[] = [];
  const text = JSON.stringify(body, (_, value: unknown) => {
    if (!(value instanceof Link)) return isRecord(value) ? sorted(value) : value;
    contained.push(value.type);
    return sorted({ ...value.siblings, $ref: true });
  });
  return { text, openText: text.replaceAll(CLOSED, ''), contained };
}

const CLOSED = /,"additionalProperties":false(?=\})|"additionalProperties":false,?/g;

/** Libraries and authors write keywords in any order. */
const sorted = (schema: object) =>
  Object.fromEntries(Object.entries(schema).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

/**
 * The first of all types that are equal to a type. Compares round by round, each time with what the round before
 * found out about links, so that recursive types can be equal, too.
 *
 * zod allows additional properties in arguments and forbids them in results. A named type that differs in nothing else
 * is the same type to its author, and the open form is true for both.
 */
export function findEqualTypes(types: readonly Type[]): (type: Type) => Type {
  let rounds = { exact: new Map<Type, number>(), open: new Map<Type, number>(), size: 0 };
  for (let size = -1; size !== rounds.size;) {
    size = rounds.size;
    rounds = compare(types, rounds);
  }
  const { exact, open } = rounds;
  const firsts = new Map<number, Type>();
  const accepted = new Set<number>();
  for (const type of types) {
    const number = exact.get(type)!;
    if (!firsts.has(number)) firsts.set(number, type);
    if (type.place.side === 'input') accepted.add(number);
  }
  return (type) => {
    const number = open.get(type)!;
    const isBoth = type.given !== undefined && type.place.side === 'output' && accepted.has(number);
    return firsts.get(isBoth ? number : exact.get(type)!)!;
  };
}

interface Round {
  readonly exact: Map<Type, number>;
  readonly open: Map<Type, number>;
  /** How many different texts there are. Once it stops growing, nothing new can be found out. */
  readonly size: number;
}

function compare(types: readonly Type[], before: Round): Round {
  const texts = new Map<string, number>();
  const numbered = (numbers: ReadonlyMap<Type, number>, isOpen: boolean) =>
    new Map(
      types.map((type) => {
        const { text, openText, contained } = outlineOf(type);
        const inner = contained.map((one) => numbers.get(one)).join();
        const key = `${type.given ?? ''} ${inner} ${isOpen ? openText : text}`;
        const number = texts.get(key) ?? texts.size;
        texts.set(key, number);
        return [type, number];
      }),
    );
  return { exact: numbered(before.exact, false), open: numbered(before.open, true), size: texts.size };
}
