import type { JsonSchema } from '../schema/json-schema.ts';
import { truncate } from '../schema/truncate.ts';
import type { Effect } from './change.ts';
import { effectiveKeywords } from './sameness.ts';
import type { Sameness } from './sameness.ts';

interface KeywordChange {
  readonly text: string;
  readonly effect: Effect;
}

const LOWER = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']);
const UPPER = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']);

/** Compared elsewhere. */
const STRUCTURE = new Set(['type', 'properties', 'required', 'items', 'prefixItems', 'additionalProperties']);

/** What the keywords say that restrict values of one type. */
export function diffKeywords(before: JsonSchema, after: JsonSchema, sameness: Sameness): readonly KeywordChange[] {
  const names = new Set([...effectiveKeywords(before), ...effectiveKeywords(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (STRUCTURE.has(name) || sameness.ofKeyword(name, old, now)) return [];
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
  if (old !== undefined && now !== undefined && shown(old) === shown(now)) return `${name} changed`;
  if (old === undefined) return `${name} is now ${shown(now)}`;
  if (now === undefined) return `${name} is no longer ${shown(old)}`;
  return `${name} is now ${shown(now)}, was ${shown(old)}`;
}

const MAX_LENGTH = 40;
const shown = (value: unknown) => truncate(JSON.stringify(value), MAX_LENGTH);
