import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { Element, Node, Program, Signature, Type } from '../compiler/program.ts';
import type { ResultDescription } from '../description.ts';
import { awaited, isFailure, isNamed, mixed } from './awaited.ts';
import { Hints } from './hints.ts';
import { splitType, toProse } from './jsdoc.ts';
import type { JsDoc } from './jsdoc.ts';
import { described, INTEGER, isIntegerName } from './schema-tags.ts';
import { readSchema, sized } from './read-schema.ts';
import { combined } from './unions.ts';

interface Result {
  readonly result: ResultDescription;
  /** What a generator yields. */
  readonly yields?: JsonSchema;
}

/** Reads what a function returns. */
export function readResult(signature: Signature, declaration: Node, docs: JsDoc, program: Program): Result {
  const hints = new Hints(program);
  const tagged = (names: readonly string[]) =>
    docs.tags.filter(({ name }) => names.includes(name)).map(({ text }) => splitType(text));
  const tags = tagged(['returns', 'return']);
  const texts = tags.map(prose);
  const at = declaration.type ?? declaration.name ?? declaration;
  let type = program.returnOf(signature);
  let hint = declaration.type;
  for (let levels = 0, value = awaited(type, program); levels < 5 && value; levels++) {
    type = value;
    hint = hints.argument(hint, 0);
    value = awaited(type, program);
  }
  if (isNamed(type, GENERATORS, program)) {
    const [chunk, returned] = program.typeArguments(type);
    const chunkHint = hints.argument(hint, 0);
    const returnsChunk =
      !returned || ['Void', 'Any', 'Unknown', 'Undefined'].some((flag) => program.isA(returned, flag));
    const yields = readSchema(program, 'output', chunk!, chunkHint, at);
    const text = tagged(['yields', 'yield']).map(prose)[0] ?? (returnsChunk ? (texts[0] ?? '') : '');
    const result = returnsChunk
      ? one(yields, texts[0] ?? text)
      : toResult(returned, hints.argument(hint, 1), at, texts, program);
    return { result, yields: described(yields, text) };
  }
  const result = toResult(type, hint, at, texts, program);
  const isInteger = isIntegerName(tags[0]?.type ?? '') && result.kind === 'one' && result.schema.type === 'number';
  return { result: isInteger ? one(INTEGER, texts[0]) : result };
}

const prose = ({ rest }: ReturnType<typeof splitType>) => toProse(rest.replace(/^-\s+/, ''));

const GENERATORS = [
  'AsyncGenerator',
  'AsyncIterableIterator',
  'AsyncIterable',
  'AsyncIteratorObject',
  'Generator',
  'IterableIterator',
  'ReadableStream',
];

function toResult(
  type: Type,
  hint: Node | undefined,
  at: Node,
  texts: readonly string[],
  program: Program,
): ResultDescription {
  const isNothing = (value: Type) => ['Void', 'Undefined', 'Never'].some((flag) => program.isA(value, flag));
  if (isNothing(type) || isFailure(type, program)) return { kind: 'none' };
  const values = mixed(type, program);
  if (values) {
    const [first, ...others] = values.filter((value) => !isNothing(value));
    if (!first) return { kind: 'none' };
    const mayBeNothing = values.some(isNothing);
    if (others.length === 0 && !mayBeNothing) return toResult(first, undefined, at, texts, program);
    const schema = sized(program, 'output', at, (reader) => {
      const branches = [first, ...others].map((value) => reader.read(value, undefined, at));
      return reader.withDefinitions(combined(mayBeNothing ? [...branches, { type: 'null' }] : branches));
    });
    return one(schema, texts[0]);
  }
  const elements = program.isA(type, 'Object') ? program.elementsOf(type) : undefined;
  if (!elements || elements.length < 2 || elements.some(({ kind }) => kind !== 'required')) {
    return one(readSchema(program, 'output', type, hint, at), texts[0]);
  }
  return { kind: 'several', schemas: several(elements, hint, at, texts, program) };
}

/** Each of several values is described by a `@returns` of its own, or by its label. */
function several(
  elements: readonly Element[],
  hint: Node | undefined,
  at: Node,
  texts: readonly string[],
  program: Program,
): JsonSchema[] {
  const hints = new Hints(program);
  const annotations = hints.elements(hint);
  return elements.map(({ type }, i) => {
    const annotation = annotations[i];
    const label = annotation && program.is(annotation, 'NamedTupleMember') ? (annotation.name?.text ?? '') : '';
    const schema = readSchema(program, 'output', type, hints.bare(annotation), at);
    return described(schema, texts.length > 1 ? (texts[i] ?? '') : label || (texts[0] ?? ''));
  });
}

function one(schema: JsonSchema, text = ''): ResultDescription {
  return { kind: 'one', schema: described(schema, text) };
}
