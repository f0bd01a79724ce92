import { refuse } from '../../core/failure.ts';
import { parametersIn } from '../../core/http-path.ts';
import { invalidArguments } from '../../core/invalid-arguments.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { listed } from '../../schema/problem.ts';
import { repair } from '../../schema/repair.ts';
import { decodeSegment } from '../http/path-tree.ts';
import { argumentsFromPairs } from './arguments-from-pairs.ts';
import { brokenEncoding, isUrlText, parsePairs } from './url-encoded.ts';
import type { Pairs } from './url-encoded.ts';

type Decoded = { readonly input: unknown } | Failed;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether `profile` in the query is an argument. Then only Accept selects the profile of the body. */
export function takesProfile({ inputSchema: { properties = {} } }: RegisteredFunction): boolean {
  return Object.hasOwn(properties, 'profile');
}

/** The arguments in a query, and in the path. */
export function decodeQuery(query: string, values: readonly string[], fn: RegisteredFunction, limits: Limits): Decoded {
  if (!isUrlText(query)) return brokenEncoding('the query');
  const pairs = parsePairs(query);
  if ('ok' in pairs) return pairs;
  return decodePairs(takesProfile(fn) ? pairs : pairs.filter(([name]) => name !== 'profile'), values, fn, limits);
}

/** The arguments in a form, and in the path. */
export function decodeForm(
  body: Uint8Array,
  values: readonly string[],
  fn: RegisteredFunction,
  limits: Limits,
): Decoded {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return refuse('BAD_REQUEST', 'The form is not UTF-8');
  }
  // A form would percent-encode these. It is the default type of `curl -d`.
  if (/^\s*[{["]/.test(text)) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'The body looks like JSON: send it as Content-Type: application/json');
  }
  const pairs = parsePairs(text);
  return 'ok' in pairs ? pairs : decodePairs(pairs, values, fn, limits);
}

/** The arguments that names and values stand for, and those in the path. */
export function decodePairs(
  pairs: Pairs<string | File>,
  values: readonly string[],
  fn: RegisteredFunction,
  limits: Limits,
): Decoded {
  const inPath = valuesInPath(values, fn);
  if ('ok' in inPath) return inPath;
  const wrong = new Set(pairs.flatMap(([name, text]) => (text !== (inPath.get(name) ?? text) ? [name] : [])));
  if (wrong.size > 0) return differs([...wrong]);
  const all = [...inPath, ...(inPath.size > 0 ? pairs.filter(([name]) => !inPath.has(name)) : pairs)];
  const decoded = argumentsFromPairs(all, fn.inputSchema, limits);
  return 'problems' in decoded ? invalidArguments(decoded.problems) : decoded;
}

/** Adds the values in the path to the arguments in a JSON body. */
export function addPathValues(body: unknown, values: readonly string[], fn: RegisteredFunction): Decoded {
  const inPath = valuesInPath(values, fn);
  if ('ok' in inPath) return inPath;
  // JSON in a string is read here and not in the pipeline, where it would hide an argument that the path has too.
  const input = typeof body === 'string' ? (structureFromText(body) ?? body) : (body ?? {});
  if (!isRecord(input)) return { input }; // the pipeline reports it
  const { inputSchema } = fn;
  const read = (name: string, value: unknown) => repair(value, inputSchema.properties?.[name] ?? {}, inputSchema).value;
  const fromPath = Array.from(inPath, ([name, text]) => [name, read(name, text)] as const);
  const wrong = fromPath.filter(([name, value]) => Object.hasOwn(input, name) && read(name, input[name]) !== value);
  if (wrong.length > 0) return differs(wrong.map(([name]) => name));
  const first = Object.fromEntries(fromPath);
  return { input: { ...first, ...input, ...first } };
}

function valuesInPath(values: readonly string[], { http }: RegisteredFunction): ReadonlyMap<string, string> | Failed {
  const found = new Map<string, string>();
  if (values.length === 0) return found;
  for (const [i, name] of parametersIn(http.path ?? '').entries()) {
    const sent = values[i] ?? '';
    const text = isUrlText(sent) ? decodeSegment(sent) : undefined;
    if (text === undefined) return brokenEncoding(name);
    found.set(name, text);
  }
  return found;
}

const differs = (names: readonly string[]): Failed =>
  invalidArguments(listed(names, (name) => ({ pointer: `/${name}`, message: 'differs from the value in the path' })));
