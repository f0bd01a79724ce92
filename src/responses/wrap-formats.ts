import type { Outcome } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { structureOf } from './builders.ts';
import { completeResponse } from './complete-response.ts';
import { toEnvelopeContent, toMcpContent } from './content/convert.ts';
import type { EnvelopeContent } from './content/envelope-content.ts';
import { mcpContent } from './content/mcp-content.ts';
import type { McpContent } from './content/mcp-content.ts';
import { toEnvelope } from './profiles/envelope.ts';
import { ERROR_META } from './profiles/error-meta.ts';
import { toToolResult } from './profiles/mcp.ts';
import type { Clock } from '../core/clock.ts';
import { readResponse } from './read-response.ts';
import { isToolResult } from './read-tool-result.ts';
import { textOf } from './text.ts';

type Body = Readonly<Record<string, unknown>>;

/** What rendering needs apart from the outcome. */
export interface RenderContext {
  readonly clock: Clock;
  readonly describeResult: (data: unknown) => string | undefined;
}

/** A format in which a tool may respond; a wrapped tool always responds in the chosen one. */
export interface WrapFormat {
  readonly profile: 'envelope' | 'mcp';
  /** Whether a returned value is meant to be in this format, complete or not. */
  readonly recognises: (returned: Body) => boolean;
  /** Adds what can be derived. */
  readonly complete: (returned: Body, clock: Clock) => Body;
  readonly read: (response: Body) => Outcome;
  /** Renders an outcome. `response` is the response in the other format that it was read from, for its content. */
  readonly render: (outcome: Outcome, context: RenderContext, response?: Body) => object;
}

const envelope: WrapFormat = {
  profile: 'envelope',

  recognises: isEnvelope,

  // Some tools put their data next to `success`: it moves to `data`.
  complete(returned, clock) {
    const { success, timestamp, content, message, error, data, ...rest } = returned;
    const isBeside = success === true && data === undefined && Object.keys(rest).length > 0;
    const flagged = { success, timestamp, content, message, error };
    return completeResponse(isBeside ? { ...flagged, data: rest } : returned, 'envelope', clock);
  },

  read: readResponse,

  render(outcome, { clock, describeResult }, result) {
    if (!outcome.ok) return toEnvelope(outcome, clock);
    const text = describeResult(outcome.data) ?? textOf(outcome.data);
    const blocks = (result?.['content'] ?? []) as readonly McpContent[];
    const shown = blocks.map((block) =>
      toEnvelopeContent(
        repeatsData(block, [outcome.data, result?.['structuredContent']]) ? mcpContent.text(text) : block,
      ),
    );
    return toEnvelope(outcome, clock, shown.length > 0 ? shown : undefined, text);
  },
};

const mcp: WrapFormat = {
  profile: 'mcp',

  recognises: (returned) => isToolResult(returned) && !('toolResult' in returned),

  complete(returned, clock) {
    const completed = completeResponse(returned, 'mcp', clock);
    if (completed['isError'] !== true || completed['structuredContent'] === undefined) return completed;
    const { structuredContent, ...rest } = completed;
    return { ...rest, _meta: withDetails(rest['_meta'], structuredContent) };
  },

  read: readResponse,

  render(outcome, { describeResult }, response) {
    if (!outcome.ok) return toToolResult({ error: outcome.error.message }, outcome);
    const text = describeResult(outcome.data);
    const texts = text === undefined ? [] : [mcpContent.text(text)];
    const items = (response?.['content'] ?? []) as readonly EnvelopeContent[];
    return toToolResult(structureOf(outcome.data), outcome, [...texts, ...items.map(toMcpContent)]);
  },
};

export const wrapFormats: Readonly<Record<WrapFormat['profile'], WrapFormat>> = { envelope, mcp };

function isEnvelope(body: Body): boolean {
  return typeof body['success'] === 'boolean';
}

/** Whether a block only repeats the data as JSON. */
function repeatsData(block: McpContent, values: readonly unknown[]): boolean {
  return block.type === 'text' && values.some((value) => value !== undefined && block.text === JSON.stringify(value));
}

/** Clients validate structured content even in errors, so it moves to the error's details. */
function withDetails(meta: unknown, details: unknown): Body {
  const known = isRecord(meta) ? meta : {};
  const error = isRecord(known[ERROR_META]) ? known[ERROR_META] : {};
  return { ...known, [ERROR_META]: { ...error, details: error['details'] ?? details } };
}
