import { accepts } from '../../../schema/accepts.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Node, Program, Signature, Sym, Type } from '../compiler/program.ts';
import type { ParameterDescription } from '../description.ts';
import { SHAPE } from '../shape.ts';
import type { JsDoc } from './jsdoc.ts';
import { readLiteral } from './literals.ts';
import { isOwn } from './own-types.ts';
import { ParameterDocs } from './parameter-docs.ts';
import { sized } from './read-schema.ts';
import { Refused } from './refused.ts';
import type { TypeReader } from './type-reader.ts';
import { isDefault, withTags } from './schema-tags.ts';
import { isUnsendable } from './unsendable.ts';

interface Input {
  readonly parameters: readonly ParameterDescription[];
  readonly schema: JsonSchema;
}

interface Parameter {
  readonly symbol: Sym;
  /** Undefined if it is destructured, and nothing else names it. */
  readonly name: string | undefined;
  readonly node: Node | undefined;
  readonly isContext: boolean;
}

/** Names of a single parameter that is the input itself. */
const WHOLE = new Set(['input', 'args', 'params', 'options']);

/** Reads the parameters of a function as one object. */
export function readParameters(signature: Signature, declaration: Node, docs: JsDoc, program: Program): Input {
  const all = program.parametersOf(signature).map((symbol): Parameter => {
    const node = program.declarations(symbol).find((one) => program.is(one, 'Parameter'));
    return { symbol, node, name: nameOf(symbol, node, program), isContext: isContext(symbol, program) };
  });
  const data = withNames(
    all.filter((parameter) => !parameter.isContext),
    docs,
    program,
  );
  const [only] = data;
  if (only && data.length === 1 && mayBeWhole(only, program)) {
    const whole = readWhole(only, declaration, docs, program);
    if (whole) return { schema: whole, parameters: all.map((one) => ofWhole(one)) };
  }
  const schema = sized(program, 'input', declaration, (reader) => readEach(reader, data, declaration, docs));
  const parameters = all.map(({ symbol, node, isContext: given }): ParameterDescription => {
    if (given) return { kind: 'context' };
    const name = data.find((one) => one.symbol === symbol)!.name!;
    return { kind: 'property', name, ...(node?.dotDotDotToken && { isRest: true as const }) };
  });
  return { parameters, schema };
}

function ofWhole({ isContext: given, node }: Parameter): ParameterDescription {
  return given ? { kind: 'context' } : { kind: 'input', ...(node?.initializer && { hasDefault: true as const }) };
}

function nameOf({ name }: Sym, node: Node | undefined, program: Program): string | undefined {
  return !node?.name || program.is(node.name, 'Identifier') ? name : undefined;
}

/** A destructured parameter is named by its `@param`, or `options` if it is the only one. */
function withNames(data: readonly Parameter[], docs: JsDoc, program: Program): readonly Parameter[] {
  const unnamed = data.filter(({ name }) => name === undefined);
  if (unnamed.length === 0 || unnamed.some(({ node }) => !isDestructured(node, program))) return data;
  const documented = new ParameterDocs(docs).names;
  const taken = new Set(data.map(({ name }) => name));
  const fallback = unnamed.length === 1 && !taken.has('options') ? 'options' : undefined;
  return data.map((parameter, i) => {
    const wanted = documented.length === data.length ? documented[i] : undefined;
    return { ...parameter, name: parameter.name ?? (taken.has(wanted) ? undefined : wanted) ?? fallback };
  });
}

function isContext(symbol: Sym, program: Program): boolean {
  const type = program.typeOf(symbol);
  const members = program.isA(type, 'Union') ? program.membersOf(type) : [type];
  return members.some((member) => {
    const named = program.isA(member, 'Object') ? program.symbolOf(member) : undefined;
    return named?.name === 'Context' && isOwn(named, 'core/context', program);
  });
}

function mayBeWhole({ symbol, node }: Parameter, program: Program): boolean {
  if (node?.dotDotDotToken) return false;
  return isDestructured(node, program) || WHOLE.has(symbol.name);
}

const isDestructured = (node: Node | undefined, program: Program) =>
  node?.name !== undefined && program.is(node.name, 'ObjectBindingPattern');

/** The parameter as the input itself; undefined if it is no object, or if it may be left out but its fields may not. */
function readWhole(
  { symbol, node }: Parameter,
  declaration: Node,
  docs: JsDoc,
  program: Program,
): JsonSchema | undefined {
  const schema = sized(program, 'input', node, (reader) => {
    const read = asObject(reader.read(program.typeOf(symbol), node?.type, node ?? declaration));
    return reader.withDefinitions(read);
  });
  const isObject = (schema.type === 'object' || '$ref' in schema) && !(SHAPE in schema) && !('x-everywire' in schema);
  const mayBeLeftOut = node?.questionToken ?? node?.initializer;
  const isPossible = isObject && (!mayBeLeftOut || accepts({}, schema, schema));
  if (!isPossible && !isDestructured(node, program)) return undefined;
  if (!isObject) throw new Refused('The parameter has no name; name it, or use an object type', node);
  const described = new ParameterDocs(docs).inside(schema, undefined);
  // `{ x = 1 } = { x: 10 }`: without any field, the default of the parameter counts, and not those of its fields.
  const hasOwn = node?.initializer !== undefined && !isEmptyObject(node.initializer, program);
  return hasOwn ? described : withPatternDefaults(described, node?.name, program);
}

const isEmptyObject = (node: Node, program: Program) =>
  program.is(node, 'ObjectLiteralExpression') && (node.properties ?? []).length === 0;

/** A union of objects is an object. */
function asObject(schema: JsonSchema): JsonSchema {
  const branches = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  return branches?.every(({ type }) => type === 'object') ? { type: 'object', ...schema } : schema;
}

/** `f({ limit = 10 }: Options)`. */
function withPatternDefaults(schema: JsonSchema, pattern: Node | undefined, program: Program): JsonSchema {
  if (!pattern || !program.is(pattern, 'ObjectBindingPattern') || !schema.properties) return schema;
  const properties = { ...schema.properties };
  for (const element of pattern.elements ?? []) {
    const name = (element.propertyName ?? element.name)?.text;
    if (name === undefined || !element.initializer || !Object.hasOwn(properties, name)) continue;
    properties[name] = withDefault(properties[name]!, element.initializer);
  }
  return { ...schema, properties };
}

function readEach(reader: TypeReader, data: readonly Parameter[], declaration: Node, docs: JsDoc): JsonSchema {
  const texts = new ParameterDocs(docs);
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const { symbol, node, name } of data) {
    if (name === undefined) {
      throw new Refused('The parameter has no name; name it and take it apart in the body', node);
    }
    if (name === '__proto__') throw new Refused('A parameter must not be named "__proto__"; rename it', node);
    const type = reader.program.typeOf(symbol);
    if (reader.program.isA(type, 'Any') && !reader.program.isError(type) && node && !node.type && !texts.has(name)) {
      throw new Refused(`The parameter "${name}" has no type; declare one`, node);
    }
    const isOptional = node?.questionToken ?? node?.initializer ?? isEmptyRest(node, type, reader.program);
    if (isOptional && isUnsendable(reader, type)) continue;
    const own = withTags(reader.read(type, node?.type, node ?? declaration), reader.hints.docs(node));
    const documented = texts.inside(texts.onto(own, name), name);
    const schema = withPatternDefaults(documented, node?.name, reader.program);
    properties.push([name, node?.initializer ? withDefault(schema, node.initializer) : schema]);
    if (!isOptional && !reader.mayBeUndefined(type) && schema.default === undefined) required.push(name);
  }
  return reader.withDefinitions({
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  });
}

/** `...words: string[]` may be left out, and `...pair: [string, number]` may not. */
function isEmptyRest(node: Node | undefined, type: Type, program: Program): boolean {
  if (!node?.dotDotDotToken) return false;
  const members = program.isA(type, 'Union') ? program.membersOf(type) : [type];
  return members.some((member) => {
    const elements = program.isA(member, 'Object') ? program.elementsOf(member) : undefined;
    return !elements?.some(({ kind }) => kind === 'required');
  });
}

/** Adds the default of a parameter, if it is a literal that fits. */
function withDefault(schema: JsonSchema, initializer: Node): JsonSchema {
  const literal = readLiteral(initializer.getSourceFile().text.slice(initializer.getStart(), initializer.end));
  return literal && isDefault(literal.value, schema) ? { ...schema, default: literal.value } : schema;
}
