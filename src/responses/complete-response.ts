import { structureFromText } from '../schema/from-text.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { Clock, ProfileName } from './profiles/profile.ts';
import { sameJson } from './rules/same-json.ts';
import { textOf } from './text.ts';

type Body = Readonly<Record<string, unknown>>;

/** A copy of a body with what can be derived from the rest of it added. What it says stays as it is. */
export function completeResponse(body: Body, profile: ProfileName, clock: Clock): Body {
  return completions[profile]?.(body, clock) ?? body;
}

const completions: Partial<Record<ProfileName, (body: Body, clock: Clock) => Body>> = {
  envelope: completeEnvelope,
  status: completeStatus,
  mcp: completeToolResult,
};

function completeEnvelope(body: Body, clock: Clock): Body {
  const { success = successFrom(body), timestamp, content, data, error, ...rest } = body;
  if (typeof success !== 'boolean') return body;
  const items = Array.isArray(content) ? content.map(withEnvelopeType) : [];
  const when = typeof timestamp === 'string' && timestamp !== '' ? timestamp : clock().toISOString();
  const found = success ? undefined : errorFrom(error, rest['message'], items);
  const said = success ? textOf(data ?? rest['message']) : `Error: ${found?.message}`;
  return {
    success,
    timestamp: when,
    content: items.length > 0 ? items : [{ type: 'text', text: said }],
    ...(success && data !== undefined && { data }),
    // `error: null` says that there is none; anything else on a success is a contradiction, and not ours to settle.
    ...(success && error !== undefined && error !== null && { error }),
    ...(found && { error: withData(found, data) }),
    ...rest,
  };
}

function successFrom({ error, data, content }: Body): boolean | undefined {
  if (error !== undefined && error !== null) return false;
  return data !== undefined || Array.isArray(content) ? true : undefined;
}

interface FoundError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

function errorFrom(error: unknown, message: unknown, items: readonly unknown[]): FoundError {
  const fields = isRecord(error) ? error : {};
  const said = items.filter(isRecord).find(({ text }) => typeof text === 'string')?.['text'];
  const spoken = typeof said === 'string' ? said.replace(/^Error: /, '') : undefined;
  const first = [fields['message'], error, message, spoken].find((text) => typeof text === 'string' && text !== '');
  const { code } = fields;
  return {
    ...fields,
    code: typeof code === 'number' || (typeof code === 'string' && code !== '') ? String(code) : 'UNKNOWN_ERROR',
    message: (first as string | undefined) ?? 'Unknown error',
  };
}

/** Data beside an error helps to mend it: it moves to where such things belong. */
function withData(error: FoundError, data: unknown): FoundError {
  if (data === undefined || data === null) return error;
  return { ...error, details: error.details === undefined ? data : { details: error.details, data } };
}

function withEnvelopeType(item: unknown): unknown {
  if (typeof item === 'string') return { type: 'text', text: item };
  if (!isRecord(item) || typeof item['type'] === 'string') return item;
  if (typeof item['text'] === 'string') return { type: 'text', ...item };
  if ('url' in item && 'altText' in item) return { type: 'image', ...item };
  return 'resourceType' in item && 'identifier' in item ? { type: 'resource', ...item } : item;
}

function completeStatus(body: Body): Body {
  if (body['status'] !== undefined) return body;
  if (isRecord(body['error'])) return { status: 'ERROR', ...body };
  return body['data'] === undefined ? body : { status: 'SUCCESS', ...body };
}

function completeToolResult(body: Body): Body {
  const { content, structuredContent, isError = false } = body;
  const items = Array.isArray(content) ? content.map(withMcpType) : [];
  const says = (item: unknown) =>
    isRecord(item) && typeof item['text'] === 'string' && sameJson(structureFromText(item['text']), structuredContent);
  const isMissing = isError !== true && structuredContent !== undefined && !items.some(says);
  const json = isMissing ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : [];
  return { ...body, content: [...json, ...items], isError };
}

function withMcpType(item: unknown): unknown {
  if (typeof item === 'string') return { type: 'text', text: item };
  if (!isRecord(item) || typeof item['type'] === 'string') return item;
  if (typeof item['text'] === 'string') return { type: 'text', ...item };
  const [kind] = typeof item['mimeType'] === 'string' ? item['mimeType'].split('/') : [];
  return kind === 'image' || kind === 'audio' ? { type: kind, ...item } : item;
}
