import type { Returned } from '../../core/input-output.ts';
import { compileCheck } from '../../schema/check.ts';
import { pointerTo } from '../../schema/pointer.ts';
import type { Problem } from '../../schema/problem.ts';
import { dataSchema } from '../profiles/object-schema.ts';
import { plain } from '../profiles/plain.ts';
import type { Profile } from '../profiles/profile.ts';
import type { RuleContext } from './rule.ts';

type Body = Readonly<Record<string, unknown>>;

/** Checks the data in a field of a body. */
export function dataMatches(name: string, body: Body, { function: fn, outputSchema }: RuleContext): readonly Problem[] {
  if (outputSchema) return at(name, body[name], schemaCheck(outputSchema));
  return fn && fn.returned.kind !== 'none' ? at(name, body[name], dataCheck(fn.returned)) : [];
}

export function resultsMatch(body: Body, { function: fn, outputSchema }: RuleContext): readonly Problem[] {
  if (outputSchema) return at('result', body['result'], schemaCheck(outputSchema));
  return (fn && bodyCheck(plain)(fn.returned)(body)) ?? [];
}

export function structureMatches(
  body: Body,
  { function: fn, outputSchema, inner = plain }: RuleContext,
): readonly Problem[] {
  const check = outputSchema ? schemaCheck(outputSchema) : fn && bodyCheck(inner)(fn.returned);
  return check ? at('structuredContent', body['structuredContent'], check) : [];
}

const dataCheck = cached((returned: Returned) => compileCheck(dataSchema(returned) ?? {}));
const bodyCheck = cached(({ successSchema }: Profile) =>
  cached((returned: Returned) => compileCheck(successSchema(returned))),
);
export const schemaCheck = cached(compileCheck);

function at(name: string, value: unknown, check: ReturnType<typeof compileCheck>): readonly Problem[] {
  const pointer = pointerTo('', name);
  if (value === undefined) return [{ pointer, message: 'required', missing: name }];
  return (check(value) ?? []).map((problem) => ({ ...problem, pointer: pointer + problem.pointer }));
}

/** Memoizes by object identity. */
function cached<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) made.set(key, (value = make(key)));
    return value;
  };
}
