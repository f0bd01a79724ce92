import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { splitType, toProse } from './jsdoc.ts';
import type { JsDoc, JsDocTag } from './jsdoc.ts';
import { described, INTEGER, isIntegerName, isSchemaTag, withTags, withoutMisfit } from './schema-tags.ts';

interface Documented {
  /** `limit`, or `options.limit` for a field. */
  readonly path: readonly string[];
  readonly type: string | undefined;
  readonly text: string;
}

/** What the docs of a function say about its parameters: `@param {integer} x text`, `@minimum x 0`. */
export class ParameterDocs {
  readonly #all: readonly Documented[];

  constructor(private readonly docs: JsDoc) {
    const tags = docs.tags.filter(({ name }) => ['param', 'arg', 'argument', 'parameter'].includes(name));
    this.#all = tags.map(({ text }) => parse(text)).filter((one) => one !== undefined);
  }

  /** Of parameters, in the order of the docs. */
  get names(): readonly string[] {
    return this.#all.flatMap(({ path }) => (path.length === 1 ? path : []));
  }

  has(name: string): boolean {
    return this.#all.some(({ path, type }) => path.join('.') === name && type !== undefined);
  }

  /** Adds what is said about a parameter. */
  onto(schema: JsonSchema, name: string): JsonSchema {
    const found = this.#all.find(({ path }) => path.length === 1 && path[0] === name);
    const tagged = withTags(schema, { description: '', tags: this.#rulesFor(name) });
    return found ? apply(tagged, found) : tagged;
  }

  /** Adds what is said about the fields of a parameter; of the input itself, without a name. */
  inside(schema: JsonSchema, name: string | undefined): JsonSchema {
    let whole = schema;
    for (const one of this.#all) {
      const [first, ...fields] = one.path;
      if (name === undefined && fields.length === 0) whole = onto(whole, [first!], one);
      else if (fields.length > 0 && (name === undefined || first === name)) whole = onto(whole, fields, one);
    }
    if (name !== undefined || !whole.properties) return whole;
    const rules = Object.keys(whole.properties).filter((field) => this.#rulesFor(field).length > 0);
    if (rules.length === 0) return whole;
    const properties = { ...whole.properties };
    for (const field of rules) properties[field] = this.onto(properties[field]!, field);
    return { ...whole, properties };
  }

  #rulesFor(name: string): JsDocTag[] {
    return this.docs.tags.flatMap((tag) => {
      const [first, ...rest] = tag.text.split(/\s+/);
      return isSchemaTag(tag.name) && !OF_FUNCTIONS.has(tag.name) && first === name && rest.length > 0
        ? [{ name: tag.name, text: rest.join(' ') }]
        : [];
    });
  }
}

/** They say something about the function, even if their text starts with the name of a parameter. */
const OF_FUNCTIONS = new Set(['title', 'deprecated']);

/** `{type} name - text`, `{type} [name=default] text`, `name.items[].field text`. */
function parse(tag: string): Documented | undefined {
  const { type, rest } = splitType(tag);
  const match = /^\[?\s*([\w$]+(?:\[\])*(?:\.[\w$]+(?:\[\])*)*)(?:\s*=[^\]]*)?\s*\]?\s*(?:-\s+)?([\s\S]*)$/.exec(rest);
  return match ? { path: match[1]!.replaceAll('[]', '.[]').split('.'), type, text: toProse(match[2]!) } : undefined;
}

function onto(schema: JsonSchema, [name, ...deeper]: readonly string[], found: Documented): JsonSchema {
  if (name === '[]') {
    if (!isRecord(schema.items)) return schema;
    return { ...schema, items: deeper.length > 0 ? onto(schema.items, deeper, found) : apply(schema.items, found) };
  }
  const field =
    name !== undefined && schema.properties && Object.hasOwn(schema.properties, name)
      ? schema.properties[name]
      : undefined;
  if (!isRecord(field)) return schema;
  const changed = deeper.length > 0 ? onto(field, deeper, found) : apply(field, found);
  return { ...schema, properties: { ...schema.properties, [name!]: changed } };
}

const FORMATS = new Set(['email', 'uri', 'uuid', 'date', 'time', 'date-time', 'duration', 'hostname', 'ipv4', 'ipv6']);

function apply(schema: JsonSchema, { type = '', text }: Documented): JsonSchema {
  const typed = isIntegerName(type) && schema.type === 'number' ? { ...INTEGER, ...schema, type: 'integer' } : schema;
  const formatted = FORMATS.has(type) && typed.type === 'string' ? { ...typed, format: type } : typed;
  return described(withoutMisfit(formatted), text);
}
