import { refuse } from '../core/failure.ts';
import { success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { structureFromText } from '../schema/from-text.ts';
import { isRecord } from '../schema/json-schema.ts';
import { ERROR_META } from './profiles/error-meta.ts';
import { readError } from './profiles/unknown-error.ts';

/** Reads the body inside a tool result. */
export type ReadBody = (body: unknown) => Outcome;

const FIELDS = new Set(['content', 'structuredContent', 'isError', '_meta', 'resultType', 'toolResult']);
const RESULT_TYPES = new Set<unknown>(['complete', 'input_required']);

/** Whether an object is a tool result: it has a field that only those have, or content blocks and nothing else. */
export function isToolResult(body: Record<string, unknown>): boolean {
  const { content, isError, success: flag } = body;
  if (typeof flag === 'boolean' || (content !== undefined && !Array.isArray(content))) return false;
  const isMarked = 'structuredContent' in body || 'toolResult' in body || RESULT_TYPES.has(body['resultType']);
  if (isMarked || isError === true) return true;
  if (!Array.isArray(content)) return false;
  if (isError === false) return true;
  return content.every(isBlock) && Object.keys(body).every((name) => FIELDS.has(name));
}

const isBlock = (item: unknown) => isRecord(item) && (typeof item['type'] === 'string' || isOnlyText(item));

/** A text block without `type`, which some authors forget. */
const isOnlyText = (item: Record<string, unknown>) =>
  typeof item['text'] === 'string' && Object.keys(item).length === 1;

/** Reads a tool result of any MCP revision: `isError` first, then `structuredContent`, then text. */
export function readToolResult(result: Record<string, unknown>, readBody: ReadBody): Outcome {
  if (result['resultType'] === 'input_required') return inputRequired(result);
  if (result['isError'] === true) return readFailure(result, readBody);
  if (result['structuredContent'] !== undefined) return readData(result['structuredContent'], readBody);
  if ('toolResult' in result) return success(result['toolResult']); // the first revision, 2024-10-07
  const text = textIn(result);
  if (text !== undefined) return readData(structureFromText(text) ?? text, readBody);
  // Only images, audio or links: the blocks themselves are the data.
  const { content } = result;
  return success(Array.isArray(content) && content.length > 0 ? content : undefined);
}

/** The result is no error, so a body that looks like an error is data. */
function readData(body: unknown, readBody: ReadBody): Outcome {
  const outcome = readBody(body);
  return outcome.ok ? outcome : success(body);
}

function readFailure(result: Record<string, unknown>, readBody: ReadBody): Failed {
  const meta = isRecord(result['_meta']) ? result['_meta'][ERROR_META] : undefined;
  const text = textIn(result);
  const body = text === undefined ? result['structuredContent'] : structureFromText(text);
  const outcome = body === undefined ? undefined : readBody(body);
  const error =
    outcome && !outcome.ok ? outcome.error : { message: (text ?? messageIn(result))?.replace(/^Error: /, '') };
  return readError({ ...error, ...(isRecord(meta) && meta) });
}

/** Not part of the protocol, but some tools send it. */
function messageIn({ message, error }: Record<string, unknown>): string | undefined {
  return [message, error].find((field) => typeof field === 'string');
}

/** Revision 2026-07-28: the server needs an elicitation before it can respond. */
function inputRequired({ inputRequests, requestState }: Record<string, unknown>): Failed {
  return refuse('INPUT_REQUIRED', 'The tool requires more input', { details: { inputRequests, requestState } });
}

function textIn({ content }: Record<string, unknown>): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.filter(isRecord).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  // Our servers send the body first, and text for people after it.
  const [first] = texts;
  return first !== undefined && structureFromText(first) !== undefined ? first : texts.join('\n') || undefined;
}
