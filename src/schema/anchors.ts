import { SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS, SCHEMA_KEYWORDS } from './embed.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointerTo } from './pointer.ts';

/**
 * Replaces references to anchors (`#place`) with JSON pointers (`#/$defs/Place`), so that the engine, OpenAPI documents
 * and clients only need to support pointers. Returns a copy, or the schema itself if it has no anchors.
 */
export function withoutAnchors(root: JsonSchema): JsonSchema {
  const anchors = new Map<string, string>();
  eachSchema(root, '#', (schema, pointer) => {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      if (typeof schema[keyword] === 'string') anchors.set(`#${schema[keyword]}`, pointer);
    }
  });
  return anchors.size === 0 ? root : (replaced(root, anchors) as JsonSchema);
}

function eachSchema(schema: unknown, pointer: string, visit: (schema: JsonSchema, pointer: string) => void): void {
  if (!isRecord(schema)) return;
  visit(schema, pointer);
  for (const keyword of SCHEMA_KEYWORDS) eachSchema(schema[keyword], pointerTo(pointer, keyword), visit);
  for (const keyword of [...SCHEMA_LIST_KEYWORDS, ...SCHEMA_MAP_KEYWORDS]) {
    const inner = schema[keyword];
    if (typeof inner !== 'object' || inner === null) continue;
    for (const [key, one] of Object.entries(inner)) {
      // A reference is a fragment of a URI: a pointer, percent-encoded.
      eachSchema(one, pointerTo(pointer, keyword) + pointerTo('', key).replace(/[^/]+/, encodeURIComponent), visit);
    }
  }
}

function replaced(schema: unknown, anchors: ReadonlyMap<string, string>): unknown {
  if (!isRecord(schema)) return schema;
  const copy: Record<string, unknown> = { ...schema };
  const { $ref } = schema;
  if (typeof $ref === 'string' && anchors.has($ref)) copy['$ref'] = anchors.get($ref);
  for (const keyword of SCHEMA_KEYWORDS) if (keyword in schema) copy[keyword] = replaced(schema[keyword], anchors);
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map((one) => replaced(one, anchors));
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const map = schema[keyword];
    if (!isRecord(map)) continue;
    copy[keyword] = Object.fromEntries(Object.entries(map).map(([name, one]) => [name, replaced(one, anchors)]));
  }
  return copy;
}
