import { parametersIn } from '../../../core/http-path.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { allowsType } from '../../../schema/allows-type.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { leafParametersOf } from '../../../schema/leaf-parameters.ts';
import type { LeafParameter } from '../../../schema/leaf-parameters.ts';
import { declaredRoute } from '../routes.ts';

/** The paths of a document: each function once, where its author declared it. */
export function describePaths(
  functions: readonly RegisteredFunction[],
  describe: (fn: RegisteredFunction) => object,
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const fn of functions) {
    const { path, method } = declaredRoute(fn);
    (paths[path] ??= {})[method.toLowerCase()] = describe(fn);
  }
  return paths;
}

/** Puts a schema into the document; `name` follows that of the function. */
type Place = (schema: JsonSchema, name: string) => JsonSchema;

/**
 * The arguments of an operation: in the path; with GET and DELETE, in the query; otherwise in a body that `describeBody` describes.
 * Forms are not described: generators would choose between two media types for the same arguments, and JSON is the one
 * that carries all of them.
 */
export function describeArguments(
  fn: RegisteredFunction,
  place: Place,
  describeBody: (schema: JsonSchema, bodyOf: (input: unknown) => unknown) => object,
): { readonly parameters?: readonly object[]; readonly requestBody?: object } {
  const { http, inputSchema } = fn;
  const inPath = parametersIn(http.path ?? '/');
  const isQuery = http.method === 'GET' || http.method === 'DELETE';
  const leaves = isQuery || inPath.length > 0 ? leavesOf(inputSchema) : [];
  const described = (leaf: LeafParameter, where: 'path' | 'query') => describeParameter(leaf, where, fn, place);
  const parameters = [
    ...inPath.flatMap((name) => leaves.filter((leaf) => leaf.name === name)).map((leaf) => described(leaf, 'path')),
    ...(isQuery ? leaves.filter(({ name }) => !inPath.includes(name)) : []).map((leaf) => described(leaf, 'query')),
  ];
  const body = isQuery ? undefined : without(inputSchema, inPath);
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: describeBody(body, (input) => omit(input, inPath)) }),
  };
}

/** If a parameter is named `a.b`, a field `b` of `a` cannot be given with a dot. */
function leavesOf(schema: JsonSchema): LeafParameter[] {
  const isHidden = ({ name, path }: LeafParameter) => path.length > 1 && Object.hasOwn(schema.properties ?? {}, name);
  return leafParametersOf(schema).filter((leaf) => !isHidden(leaf));
}

/** The schema of the body: what is not in the path. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema | undefined {
  if (names.length === 0) return schema;
  const { required = [], properties = {}, ...rest } = schema;
  const left = omit(properties, names);
  if (
    Object.keys(left).length === 0 &&
    Object.keys(rest).every((keyword) => keyword === 'type' || keyword === '$defs')
  ) {
    return undefined;
  }
  const needed = required.filter((name) => !names.includes(name));
  return { ...rest, properties: left, ...(needed.length > 0 && { required: needed }) };
}

function omit<T>(fields: T, names: readonly string[]): T {
  if (!isRecord(fields) || names.length === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as T;
}

function describeParameter(
  { name, path, required, schema: declared }: LeafParameter,
  where: 'path' | 'query',
  { inputSchema: root, definition }: RegisteredFunction,
  place: Place,
): object {
  const { description, ...rest } = declared;
  const schema = place({ ...rest, ...(root['$defs'] !== undefined && { $defs: root['$defs'] }) }, name);
  // A list is a repeated name. Only what is never a string or such a list is JSON in a string.
  const isText = allowsType(declared, 'string', root) || isScalar(declared, root);
  const isList = !allowsType(declared, 'object', root) && isRecord(declared.items) && isScalar(declared.items, root);
  const example = path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    definition.examples?.[0]?.input,
  );
  return {
    name,
    in: where,
    ...(description !== undefined && { description }),
    ...(required && { required }),
    ...(isText || isList ? { schema } : { content: { 'application/json': { schema } } }),
    ...(isSimple(example) && { example }),
  };
}

const isSimple = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

const isScalar = (schema: JsonSchema, root: JsonSchema) =>
  !allowsType(schema, 'object', root) && !allowsType(schema, 'array', root);
