import { canonicalJson } from '../schema/canonical-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { truncate } from '../schema/truncate.ts';
import type { Effect } from './change.ts';

interface KeywordChange {
  readonly text: string;
  readonly effect: Effect;
}

const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);

/** Compared elsewhere. */
const STRUCTURE = [
  'type',
  'properties',
  'required',
  'items',
  'prefixItems',
  'additionalProperties',
  'enum',
  'const',
  'anyOf',
  'oneOf',
];
/** Allow no value more or less. */
const ANNOTATIONS = ['title', 'description', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
const IDENTIFIERS = ['$schema', '$id', '$ref', '$defs', 'definitions', '$anchor', '$comment'];
const IGNORED = new Set([...STRUCTURE, ...ANNOTATIONS, ...IDENTIFIERS]);

/** What the keywords say that restrict values of one type. */
export function diffKeywords(before: JsonSchema, after: JsonSchema): readonly KeywordChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (IGNORED.has(name) || canonicalJson(old) === canonicalJson(now)) return [];
    return [{ text: textOf(name, old, now), effect: effectOf(name, old, now) }];
  });
}

function effectOf(name: string, old: unknown, now: unknown): Effect {
  if (name === 'default') return 'none';
  if (old === undefined) return 'narrower';
  if (now === undefined) return 'wider';
  if (LOWER.has(name)) return (now as number) > (old as number) ? 'narrower' : 'wider';
  if (UPPER.has(name)) return (now as number) < (old as number) ? 'narrower' : 'wider';
  return 'both';
}

function textOf(name: string, old: unknown, now: unknown): string {
  if (old === undefined) return `${name} is now ${shown(now)}`;
  if (now === undefined) return `${name} is no longer ${shown(old)}`;
  return `${name} is now ${shown(now)}, was ${shown(old)}`;
}

const MAX_LENGTH = 40;
const shown = (value: unknown) => truncate(JSON.stringify(value), MAX_LENGTH);
