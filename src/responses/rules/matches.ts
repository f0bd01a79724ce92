import type { Returned } from '../../core/results.ts';
import { compileCheck } from '../../schema/check.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { pointerTo } from '../../schema/pointer.ts';
import type { Problem } from '../../schema/problem.ts';
import { dataSchema } from '../profiles/object-schema.ts';
import { plain } from '../profiles/plain.ts';

type Body = Readonly<Record<string, unknown>>;

/** What is wrong with a field that must be there, and is described by a schema. */
export function dataMatches(name: string, body: Body, returned: Returned | undefined): readonly Problem[] {
  const check = returned && returned.kind !== 'none' ? dataCheck(returned) : undefined;
  return check ? at(name, body[name], check) : [];
}

export function resultsMatch(body: Body, returned: Returned | undefined): readonly Problem[] {
  return (returned && resultsCheck(returned)(body)) ?? [];
}

export function structureMatches(body: Body, schema: JsonSchema): readonly Problem[] {
  return at('structuredContent', body['structuredContent'], schemaCheck(schema));
}

export function structureMatchesResults(body: Body, returned: Returned): readonly Problem[] {
  return at('structuredContent', body['structuredContent'], resultsCheck(returned));
}

const dataCheck = cached((returned: Returned) => compileCheck(dataSchema(returned) ?? {}));
const resultsCheck = cached((returned: Returned) => compileCheck(plain.successSchema(returned)));
export const schemaCheck = cached(compileCheck);

function at(name: string, value: unknown, check: ReturnType<typeof compileCheck>): readonly Problem[] {
  const pointer = pointerTo('', name);
  if (value === undefined) return [{ pointer, message: 'required', missing: name }];
  return (check(value) ?? []).map((problem) => ({ ...problem, pointer: pointer + problem.pointer }));
}

/** Made once for each. */
function cached<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}
