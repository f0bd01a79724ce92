import { FORM_KEYWORD } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { truncate } from '../../schema/truncate.ts';
import { FORMAT_SAMPLES } from '../../schema/wire-forms.ts';

/** What a schema says about the size and form of a value, for help: `1 to 100`, `such as 2026-01-31`. */
export function describeLimits(schema: JsonSchema): string[] {
  const { format, pattern, multipleOf } = schema;
  const sample =
    typeof format === 'string' && Object.hasOwn(FORMAT_SAMPLES, format) ? FORMAT_SAMPLES[format] : undefined;
  // The pattern of a format says the same in a form that people cannot read.
  const isOwn = typeof pattern === 'string' && format === undefined && schema[FORM_KEYWORD] === undefined;
  return [
    sample !== undefined && `such as ${sample}`,
    numbers(schema),
    typeof multipleOf === 'number' && multipleOf !== 1 && `a multiple of ${multipleOf}`,
    counted(schema, 'Length', 'character'),
    counted(schema, 'Items', 'item'),
    isOwn && `matching ${truncate(pattern, 60)}`,
  ].filter((note) => typeof note === 'string');
}

function numbers(schema: JsonSchema): string | undefined {
  const least = limit(schema, 'minimum');
  const most = limit(schema, 'maximum');
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  const above = limit(schema, 'exclusiveMinimum');
  const below = limit(schema, 'exclusiveMaximum');
  const parts = [
    least !== undefined && `at least ${least}`,
    above !== undefined && `more than ${above}`,
    most !== undefined && `at most ${most}`,
    below !== undefined && `less than ${below}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' and ') : undefined;
}

function counted(schema: JsonSchema, what: 'Length' | 'Items', unit: string): string | undefined {
  const least = limit(schema, `min${what}`) ?? 0;
  const most = limit(schema, `max${what}`);
  const units = (count: number) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (most !== undefined) {
    if (least === most) return `exactly ${units(most)}`;
    return least > 0 ? `${least} to ${units(most)}` : `at most ${units(most)}`;
  }
  if (least === 0) return undefined;
  return least === 1 && what === 'Length' ? 'not empty' : `at least ${units(least)}`;
}

/** Libraries add the limits of exact integers to every integer; they say nothing. */
function limit(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
}
