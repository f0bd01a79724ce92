import { success } from '../../core/outcome.ts';
import type { Outcome } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { errorMeta } from './error-meta.ts';
import { mcpContent } from '../content/mcp-content.ts';
import type { McpContent } from '../content/mcp-content.ts';
import { objectOf } from './object-schema.ts';
import { plain } from './plain.ts';
import type { Described, Profile } from './profile.ts';
import { isToolResult, readToolResult } from '../read-tool-result.ts';

/** The part of MCP's CallToolResult that a tool fills in. */
export interface ToolResult {
  readonly content: readonly McpContent[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A body as a tool's result: the same JSON as text and as structure, each sufficient alone. */
export function toToolResult(body: object, outcome: Outcome, more: readonly McpContent[] = []): ToolResult {
  const content = [mcpContent.text(JSON.stringify(body)), ...more];
  if (outcome.ok) return { content, structuredContent: body as Record<string, unknown>, isError: false };
  return { content, isError: true, _meta: errorMeta(outcome.error) };
}

const content: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
};

/** MCP's tool result around the body of another profile. */
export function createMcp(inner: Profile = plain): Profile {
  return {
    name: 'mcp',
    loses: [],

    render(outcome, fn) {
      const words = outcome.ok ? fn?.inWords?.(outcome.data) : undefined;
      return toToolResult(inner.render(outcome, fn), outcome, words === undefined ? [] : [mcpContent.text(words)]);
    },

    read(body, fn) {
      return isRecord(body) && Array.isArray(body['content']) && isToolResult(body)
        ? readToolResult(body, (value) => readInner(value, fn))
        : undefined;
    },

    successSchema: (returned) =>
      objectOf({ content, structuredContent: inner.successSchema(returned), isError: { const: false } }),

    failureSchema: {
      type: 'object',
      properties: { content, isError: { const: true }, _meta: { type: 'object' } },
      required: ['content', 'isError'],
    },
  };

  function readInner(value: unknown, fn: Described | undefined): Outcome {
    return inner.read(value, fn) ?? plain.read(value) ?? success(value);
  }
}
