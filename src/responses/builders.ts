import { DEEPEST } from '../schema/bounds.ts';
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
  /** What people read, instead of text made from the data. */
  readonly text?: string;
  /** Pictures, resources and so on, after the text. */
  readonly content?: readonly Content[];
}

export interface EnvelopeOptions extends ResponseOptions<EnvelopeContent> {
  readonly clock?: Clock;
}

/** A success in the response format standard. Throws when JSON cannot carry the data. */
export function createSuccessResponse<T>(data: T, options: EnvelopeOptions = {}): SuccessEnvelope<T> & { data: T } {
  const { text, content = [], clock = systemClock } = options;
  const sent = carried(data);
  const said = envelopeContent.text(text ?? textFor(sent));
  return toEnvelope(success(sent), clock, [said, ...content]) as SuccessEnvelope<T> & { data: T };
}

/** An error in the response format standard. The code is made of letters, digits and `_`. */
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

/** A success as MCP's tool result: an object is its structured content, anything else is its `result`. */
export function createToolResult(data: unknown, { text, content = [] }: ResponseOptions<McpContent> = {}): ToolResult {
  const sent = carried(data);
  const said = text === undefined ? [] : [mcpContent.text(text)];
  return toToolResult(structureOf(sent), success(sent), [...said, ...content]);
}

/** An error as MCP's tool result: the message for the model, the code and the details beside it. */
export function createToolError(
  message: string,
  code = 'UNKNOWN_ERROR',
  details?: unknown,
  { text, content = [] }: ResponseOptions<McpContent> = {},
): ToolResult {
  const outcome = failure(code, message, { details: details ?? undefined });
  const said = text === undefined ? [] : [mcpContent.text(text)];
  return toToolResult({ error: message }, outcome, [...said, ...content]);
}

/** What stands in `structuredContent`, which has to be an object. */
export function structureOf(data: unknown): object {
  if (data === undefined) return {};
  return isRecord(data) ? data : { result: data };
}

function carried<T>(data: T): T {
  const json = data === undefined ? { value: undefined } : toJson(data, DEEPEST);
  if (json.problem) throw new TypeError(`This data cannot be sent: ${summarize([json.problem])}`);
  return json.value as T;
}
