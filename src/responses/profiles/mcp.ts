import { success } from '../../core/outcome.ts';
import type { Outcome } from '../../core/outcome.ts';
import { contentSchema, isContent } from '../../schema/content-blocks.ts';
import type { FileForm } from '../../schema/file-form.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { errorMeta } from './error-meta.ts';
import { fromFileResult, isFileFunction, toFileResult } from '../content/file-content.ts';
import { mcpContent } from '../content/mcp-content.ts';
import type { McpContent } from '../content/mcp-content.ts';
import { dataSchema, objectOf } from './object-schema.ts';
import { plain } from './plain.ts';
import type { Described, Profile } from './profile.ts';
import { isToolResult, readToolResult } from '../read-tool-result.ts';

/**
 * The part of MCP's CallToolResult that a tool fills in. Its lists are mutable, because the MCP SDK requires mutable
 * ones.
 */
export type ToolResult = {
  content: McpContent[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
  _meta?: Record<string, unknown>;
};

/** Renders a body as a tool result: the same JSON as text and as structured content. Clients may read either. */
export function toToolResult(body: object, outcome: Outcome, more: readonly McpContent[] = []): ToolResult {
  const content = [mcpContent.text(JSON.stringify(body)), ...more];
  if (outcome.ok) return { content, structuredContent: body as Record<string, unknown>, isError: false };
  return { content, isError: true, _meta: errorMeta(outcome.error) };
}

const content: JsonSchema = { type: 'array', minItems: 1, items: contentSchema.items };

/** Whether a function returns content blocks instead of data. */
function returnsContent({ returned }: Described): boolean {
  return returned.kind === 'one' && isContent(returned.schema.json);
}

/** Whether a function returns data, which a schema describes: neither content blocks nor a file. */
export function returnsData(fn: Described): boolean {
  return !returnsContent(fn) && !isFileFunction(fn);
}

/** An MCP tool result that contains the body of another profile. */
export function createMcp(inner: Profile = plain): Profile {
  return {
    name: 'mcp',
    inner,
    loses: [],

    render(outcome, fn) {
      if (!outcome.ok) return toToolResult(inner.render(outcome, fn), outcome);
      if (fn && returnsContent(fn)) return { content: outcome.data, isError: false };
      const words = fn?.describeResult?.(outcome.data);
      const texts = words === undefined ? [] : [mcpContent.text(words)];
      if (fn && isFileFunction(fn)) {
        return toFileResult(outcome.data as FileForm, [...texts, ...(outcome.content ?? [])]);
      }
      return toToolResult(inner.render(outcome, fn), outcome, [...texts, ...(outcome.content ?? [])]);
    },

    // The body occurs twice, but is serialized once.
    write(outcome, fn) {
      if (!outcome.ok || outcome.content || fn?.describeResult || (fn && !returnsData(fn))) return undefined;
      const body = JSON.stringify(inner.render(outcome, fn));
      return `{"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body},"isError":false}`;
    },

    read(body, fn) {
      if (fn && returnsContent(fn) && isRecord(body) && body['isError'] !== true) return success(body['content']);
      const file = fromFileResult(body);
      if (file) return success(file);
      return isRecord(body) && Array.isArray(body['content']) && isToolResult(body)
        ? readToolResult(body, (value) => readInner(value, fn))
        : undefined;
    },

    successSchema: (returned) =>
      returnsContent({ returned })
        ? objectOf({ content: dataSchema(returned), isError: { const: false } })
        : isFileFunction({ returned })
          ? objectOf({ content, isError: { const: false }, _meta: { type: 'object' } })
          : objectOf({ content, structuredContent: inner.successSchema(returned), isError: { const: false } }),

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
