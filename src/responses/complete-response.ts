import { structureFromText } from '../schema/from-text.ts';
import { isRecord } from '../schema/json-schema.ts';
import { timestampFrom } from '../core/clock.ts';
import type { ProfileName } from './profiles/profile.ts';
import type { Clock } from '../core/clock.ts';
import { isEqual } from '../schema/engine/equal.ts';
import { isBareJson } from './rules/bare-json.ts';
import { textOf } from './text.ts';

type Body = Readonly<Record<string, unknown>>;

/** Copies a body and adds what can be derived from the rest of it. Keeps what is there. */
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
  const items = toList(content).map((item) => readableItem(withEnvelopeType(item), data));
  const found = success ? undefined : errorFrom(error, rest['message'], items);
  return {
    success,
    timestamp: timeFrom(timestamp, clock),
    content: found
      ? withMessage(found, items)
      : items.length > 0
        ? items
        : [textItem(textOf(data ?? rest['message'] ?? unlessEmpty(rest)))],
    ...(success && data !== undefined && { data }),
    // On a success, `error: null` means none. Any other error contradicts it, so both are kept for the check to report.
    ...(success && isErrorValue(error) && { error }),
    ...(found && { error: withData(found, data) }),
    ...rest,
  };
}

/** Whether an `error` field means an error: some servers write null, false or '' for none. */
export const isErrorValue = (error: unknown) => ![undefined, null, false, ''].includes(error as null);

const unlessEmpty = (rest: Body) => (Object.keys(rest).length > 0 ? rest : undefined);

const textItem = (text: string) => ({ type: 'text', text });

/** Keeps a timestamp that can be parsed, as ISO 8601. */
function timeFrom(timestamp: unknown, clock: Clock): string {
  const isTime = typeof timestamp === 'string' || typeof timestamp === 'number';
  const time = isTime ? new Date(timestamp) : undefined;
  if (!time || Number.isNaN(time.getTime())) return timestampFrom(clock);
  return typeof timestamp === 'string' && ISO.test(timestamp) ? timestamp : time.toISOString();
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Replaces text that only repeats the data as JSON with text for people. */
function readableItem(item: unknown, data: unknown): unknown {
  const repeatsData =
    isRecord(item) && typeof item['text'] === 'string' && data !== undefined && isBareJson(item['text'], data);
  return repeatsData ? { ...item, text: textOf(data) } : item;
}

/** Makes sure that the content of an error contains its message. */
function withMessage({ message }: FoundError, items: readonly unknown[]): readonly unknown[] {
  const isIncluded = items.some(
    (item) => isRecord(item) && typeof item['text'] === 'string' && item['text'].includes(message),
  );
  return isIncluded ? items : [textItem(`Error: ${message}`), ...items];
}

function successFrom({ error, data, content }: Body): boolean | undefined {
  if (isErrorValue(error)) return false;
  return data !== undefined || Array.isArray(content) ? true : undefined;
}

interface FoundError {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

function errorFrom(error: unknown, message: unknown, items: readonly unknown[]): FoundError {
  const fields = isRecord(error) ? error : {};
  const firstText = items.filter(isRecord).find(({ text }) => typeof text === 'string')?.['text'];
  const textMessage = typeof firstText === 'string' ? firstText.replace(/^Error: /, '') : undefined;
  // `{statusCode, error: 'Not Found', message: 'Route GET /x not found'}`: the message says more.
  const first = [fields['message'], message, error, textMessage].find(
    (text) => typeof text === 'string' && text !== '',
  );
  const { code } = fields;
  return {
    ...fields,
    code: typeof code === 'number' || (typeof code === 'string' && code !== '') ? String(code) : 'UNKNOWN_ERROR',
    message: (first as string | undefined) ?? 'Unknown error',
  };
}

/** Moves data of a failed response to the details of its error. */
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
  const { content, structuredContent, error, message, ...rest } = body;
  // A bare `{error}` becomes a failed tool result. Anything else that is no tool result stays as it is.
  const isBare = content === undefined && structuredContent === undefined && rest['isError'] === undefined;
  if (isBare && !isErrorValue(error)) return body;
  const failed = rest['isError'] ?? isBare;
  const items = toList(content).map(withMcpType);
  const isStructureText = (item: unknown) =>
    isRecord(item) && typeof item['text'] === 'string' && isEqual(structureFromText(item['text']), structuredContent);
  const isMissing = failed !== true && structuredContent !== undefined && !items.some(isStructureText);
  const json = isMissing ? [textItem(JSON.stringify(structuredContent))] : [];
  const hasNoText = failed === true && !items.some((item) => isRecord(item) && typeof item['text'] === 'string');
  const errorMessage = [isRecord(error) ? error['message'] : error, message].find((text) => typeof text === 'string');
  const added = hasNoText ? [textItem(`Error: ${errorMessage ?? textOf(structuredContent ?? 'Unknown error')}`)] : json;
  return {
    ...rest,
    content: [...added, ...items],
    ...(structuredContent !== undefined && { structuredContent }),
    isError: failed,
  };
}

/** Some servers send one string or one item instead of a list. */
function toList(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' || isRecord(content) ? [content] : [];
}

function withMcpType(item: unknown): unknown {
  if (typeof item === 'string') return { type: 'text', text: item };
  if (!isRecord(item) || typeof item['type'] === 'string') return item;
  if (typeof item['text'] === 'string') return { type: 'text', ...item };
  const [kind] = typeof item['mimeType'] === 'string' ? item['mimeType'].split('/') : [];
  return kind === 'image' || kind === 'audio' ? { type: kind, ...item } : item;
}
