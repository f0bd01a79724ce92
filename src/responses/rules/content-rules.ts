import { compileCheck } from '../../schema/check.ts';
import type { Check } from '../../schema/check.ts';
import { blockSchemas } from '../../schema/content-blocks.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { summarize } from '../../schema/problem.ts';

const text: JsonSchema = { type: 'string' };
const nonEmpty: JsonSchema = { type: 'string', minLength: 1 };
const count: JsonSchema = { type: 'number', exclusiveMinimum: 0 };
const record: JsonSchema = { type: 'object' };

/** The schema of each type of item, for envelopes and for MCP. */
export const itemSchemas = {
  envelope: {
    text: { properties: { text }, required: ['text'] },
    image: {
      properties: { url: nonEmpty, altText: nonEmpty, width: count, height: count, caption: text },
      required: ['url', 'altText'],
    },
    resource: {
      properties: { resourceType: nonEmpty, identifier: nonEmpty, name: nonEmpty, description: text, metadata: record },
      required: ['resourceType', 'identifier', 'name'],
    },
  },
  mcp: blockSchemas,
} as const satisfies Record<string, Record<string, JsonSchema>>;

const compiled = new Map<string, Check>();

/** Returns the item, or throws a TypeError that lists its problems. */
export function checkContent<T extends { readonly type: string }>(form: keyof typeof itemSchemas, item: T): T {
  const key = `${form} ${item.type}`;
  let check = compiled.get(key);
  if (!check) {
    const schemas: Readonly<Record<string, JsonSchema>> = itemSchemas[form];
    compiled.set(key, (check = compileCheck(schemas[item.type] ?? {})));
  }
  const problems = check(item);
  if (problems) throw new TypeError(`This ${item.type} cannot be sent: ${summarize(problems)}`);
  return item;
}
