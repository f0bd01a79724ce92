import { MAX_DEPTH } from '../schema/bounds.ts';
import { failure } from './outcome-tools.ts';
import { success } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { toJson } from '../schema/to-json.ts';
import { envelopeContent } from './content/envelope-content.ts';
import type { EnvelopeContent } from './content/envelope-content.ts';
import { mcpContent } from './content/mcp-content.ts';
import type { McpContent } from './content/mcp-content.ts';
import { toEnvelope } from './profiles/envelope.ts';
import type { ErrorEnvelope, SuccessEnvelope } from './profiles/envelope.ts';
import { toToolResult } from './profiles/mcp.ts';
import type { ToolResult } from './profiles/mcp.ts';
import { systemClock } from '../core/clock.ts';
import type { Clock } from '../core/clock.ts';
import { textFor } from './text.ts';

export interface ResponseOptions<Content> {
  /** Text for people, instead of text made from the data. */
  readonly text?: string;
  /** Images, resources and so on, after the text. */
  readonly content?: readonly Content[];
}

export interface EnvelopeOptions extends ResponseOptions<EnvelopeContent> {
  readonly clock?: Clock;
}

/** Creates a success envelope (MCP Response Format Standards). Throws if JSON cannot represent the data. */
export function createSuccessResponse<T>(data: T, options: EnvelopeOptions = {}): SuccessEnvelope<T> & { data: T } {
  const { text, content = [], clock = systemClock } = options;
  const sent = toSendable(data);
  const textItem = envelopeContent.text(text ?? textFor(sent));
  return toEnvelope(success(sent), clock, [textItem, ...content]) as SuccessEnvelope<T> & { data: T };
}

/** Creates an error envelope (MCP Response Format Standards). A code consists of letters, digits and `_`. */
export function createErrorResponse(
  message: string,
  code = 'UNKNOWN_ERROR',
  details?: unknown,
  options: EnvelopeOptions = {},
): ErrorEnvelope {
  const { text = `Error: ${message}`, content = [], clock = systemClock } = options;
  const outcome = failure(code, message, { details: details ?? undefined });
  return toEnvelope(outcome, clock, [envelopeContent.text(text), ...content]) as ErrorEnvelope;
}

/** Creates an MCP tool result: an object becomes `structuredContent`, any other value its `result`. */
export function createToolResult(data: unknown, { text, content = [] }: ResponseOptions<McpContent> = {}): ToolResult {
  const sent = toSendable(data);
  const texts = text === undefined ? [] : [mcpContent.text(text)];
  return toToolResult(structureOf(sent), success(sent), [...texts, ...content]);
}

/** Creates an MCP tool result for an error: the message for the model, code and details in `_meta`. */
export function createToolError(
  message: string,
  code = 'UNKNOWN_ERROR',
  details?: unknown,
  { text, content = [] }: ResponseOptions<McpContent> = {},
): ToolResult {
  const outcome = failure(code, message, { details: details ?? undefined });
  const texts = text === undefined ? [] : [mcpContent.text(text)];
  return toToolResult({ error: message }, outcome, [...texts, ...content]);
}

/** The data as `structuredContent`, which must be an object. */
export function structureOf(data: unknown): object {
  if (data === undefined) return {};
  return isRecord(data) ? data : { result: data };
}

function toSendable<T>(data: T): T {
  const json = data === undefined ? { value: undefined } : toJson(data, MAX_DEPTH);
  if (json.problem) throw new TypeError(`This data cannot be sent: ${summarize([json.problem])}`);
  return json.value as T;
}
