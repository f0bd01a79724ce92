import { CANCEL_TASK, GET_TASK, UPDATE_TASK } from '../../../core/task-operations.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import { isId } from '../jsonrpc.ts';
import type { MessageId } from '../jsonrpc.ts';
import { SEVERITY } from '../log-levels.ts';
import { CLIENT_CAPABILITIES, CLIENT_INFO, MODERN, PROTOCOL_VERSION } from '../revisions.ts';
import type { Era } from '../revisions.ts';
import { IDEMPOTENCY_KEY } from '../tasks/extension.ts';
import { isClientCapabilities, isClientInfo } from './client-info.ts';

type Params = Readonly<Record<string, unknown>>;

export interface ParsedRequest {
  readonly era: Era;
  readonly id: MessageId;
  readonly method: string;
  readonly params: Params;
  readonly meta: Params;
}

interface Method {
  readonly eras: readonly Era[];
  /** The parameters it may have, apart from `_meta`. */
  readonly params: readonly string[];
  readonly fits?: (params: Params) => boolean;
}

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['ping', { eras: ['legacy'], params: [] }],
  ['tools/list', { eras: ['legacy', 'modern'], params: [] }],
  ['server/discover', { eras: ['modern'], params: [] }],
  [
    'logging/setLevel',
    { eras: ['legacy'], params: ['level'], fits: ({ level }) => SEVERITY.includes(level as string) },
  ],
  // The arguments may be any JSON: the pipeline checks them.
  [
    'tools/call',
    { eras: ['legacy', 'modern'], params: ['name', 'arguments'], fits: ({ name }) => typeof name === 'string' },
  ],
  [GET_TASK, { eras: ['modern'], params: ['taskId'], fits: hasTaskId }],
  [CANCEL_TASK, { eras: ['modern'], params: ['taskId'], fits: hasTaskId }],
  [
    UPDATE_TASK,
    {
      eras: ['modern'],
      params: ['taskId', 'inputResponses'],
      fits: (params) => hasTaskId(params) && isAnswers(params['inputResponses']),
    },
  ],
  ['initialize', { eras: ['legacy'], params: ['protocolVersion', 'capabilities', 'clientInfo'], fits: isHandshake }],
]);

/**
 * Parses requests that the fast path fully supports; undefined for everything else, valid or not. It must not accept what
 * the SDK would reject, or what needs more than a response.
 */
export function parseRequest(message: unknown): ParsedRequest | undefined {
  if (!isRecord(message)) return undefined;
  const { jsonrpc, id, method: name, params } = message;
  if (jsonrpc !== '2.0' || !isId(id) || typeof name !== 'string') return undefined;
  if (Object.keys(message).length !== (params === undefined ? 3 : 4)) return undefined;
  const method = METHODS.get(name);
  if (!method) return undefined;
  if (params === undefined) {
    const isComplete = method.fits === undefined && method.eras.includes('legacy');
    return isComplete ? { era: 'legacy', id, method: name, params: NONE, meta: NONE } : undefined;
  }
  if (!isRecord(params) || !hasOnly(params, method.params)) return undefined;
  const meta = params['_meta'] === undefined ? NONE : params['_meta'];
  const era = isRecord(meta) ? eraOf(meta) : undefined;
  if (era === undefined || !method.eras.includes(era) || method.fits?.(params) === false) return undefined;
  return { era, id, method: name, params, meta: meta as Params };
}

const NONE: Readonly<Record<string, never>> = Object.freeze({});

function hasOnly(params: Params, names: readonly string[]): boolean {
  for (const key of Object.keys(params)) if (key !== '_meta' && !names.includes(key)) return false;
  return true;
}

/** Undefined if there is more than an envelope and a trace, such as a progress token or a log level. */
function eraOf(meta: Record<string, unknown>): Era | undefined {
  let isModern = false;
  for (const key of Object.keys(meta)) {
    const value = meta[key];
    if (key === PROTOCOL_VERSION && value === MODERN) isModern = true;
    else if (key === CLIENT_INFO) {
      if (!isClientInfo(value)) return undefined;
    } else if (key === CLIENT_CAPABILITIES) {
      if (!isClientCapabilities(value)) return undefined;
    } else if (!isTrace(key, value) && !(key === IDEMPOTENCY_KEY && typeof value === 'string')) return undefined;
  }
  const hasEnvelope = meta[CLIENT_INFO] !== undefined && meta[CLIENT_CAPABILITIES] !== undefined;
  if (isModern) return hasEnvelope ? 'modern' : undefined;
  return meta[CLIENT_INFO] === undefined && meta[CLIENT_CAPABILITIES] === undefined ? 'legacy' : undefined;
}

function hasTaskId({ taskId }: Params): boolean {
  return typeof taskId === 'string';
}

/** The SDK drops answers that look like requests or responses. */
const isAnswers = (answers: unknown) =>
  isRecord(answers) &&
  Object.values(answers).every((answer) => isRecord(answer) && !('method' in answer) && !('result' in answer));

const isTrace = (key: string, value: unknown) =>
  (key === 'traceparent' || key === 'tracestate' || key === 'baggage') && typeof value === 'string';

function isHandshake({ protocolVersion, capabilities, clientInfo }: Params): boolean {
  return typeof protocolVersion === 'string' && isClientCapabilities(capabilities) && isClientInfo(clientInfo);
}
