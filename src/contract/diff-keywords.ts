import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { truncate } from '../schema/truncate.ts';
import type { Effect } from './change.ts';
import { effectiveKeywords } from './sameness.ts';
import type { Sameness } from './sameness.ts';

interface KeywordChange {
  readonly text: string;
  readonly effect: Effect;
}

const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);

/** Compared elsewhere. */
const STRUCTURE = new Set(['type', 'properties', 'required', 'items', 'prefixItems', 'additionalProperties']);

/** What the keywords say that restrict values of one type. */
export function diffKeywords(before: JsonSchema, after: JsonSchema, sameness: Sameness): readonly KeywordChange[] {
  const names = new Set([...effectiveKeywords(before), ...effectiveKeywords(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (STRUCTURE.has(name) || sameness.ofKeyword(name, old, now)) return [];
    // A keyword that no longer describes a field or item leaves it to the keyword that refuses all others.
    const isBoth = DESCRIBING.has(name) && (isClosed(before) || isClosed(after));
    return [{ text: textOf(name, old, now), effect: isBoth ? 'both' : effectOf(name, old, now) }];
  });
}

/** Keywords that say which fields and items there are, for `additionalProperties` and the like. */
const DESCRIBING = new Set(
  'patternProperties allOf anyOf oneOf if then else dependentSchemas contains minContains $ref'.split(' '),
);
const CLOSING = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'];

/** Whether something is said about the fields or items that nothing else describes, also next to a union. */
function isClosed(schema: JsonSchema): boolean {
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'].filter(isRecord) : [];
  return CLOSING.some((name) => (schema[name] ?? true) !== true) || parts.some(isClosed);
}

function effectOf(name: string, old: unknown, now: unknown): Effect {
  if (name === 'default') return 'none';
  // The default of `minContains` is 1.
  if (name === 'minContains') return ((now ?? 1) as number) > ((old ?? 1) as number) ? 'narrower' : 'wider';
  if (old === undefined) return 'narrower';
  if (now === undefined) return 'wider';
  if (LOWER.has(name)) return (now as number) > (old as number) ? 'narrower' : 'wider';
  if (UPPER.has(name)) return (now as number) < (old as number) ? 'narrower' : 'wider';
  return 'both';
}

function textOf(name: string, old: unknown, now: unknown): string {
  if (old !== undefined && now !== undefined && shown(old) === shown(now)) return `${name} changed`;
  if (old === undefined) return `${name} is now ${shown(now)}`;
  if (now === undefined) return `${name} is no longer ${shown(old)}`;
  return `${name} is now ${shown(now)}, was ${shown(old)}`;
}

const MAX_LENGTH = 40;
const shown = (value: unknown) => truncate(JSON.stringify(value), MAX_LENGTH);
