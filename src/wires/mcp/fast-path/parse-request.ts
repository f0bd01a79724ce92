import { isRecord } from '../../../schema/json-schema.ts';
import { SEVERITY } from '../log-levels.ts';
import { isId } from '../jsonrpc.ts';

/** Revisions that begin with a handshake, and those where every request says who sends it. */
export type Era = 'legacy' | 'modern';

/** A request that the lane can answer, taken apart. */
export interface Asked {
  readonly era: Era;
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export const MODERN = '2026-07-28';

/** The older revisions, the newest first: the one that is offered to whoever asks for another. */
export const LEGACY: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

const PREFIX = 'io.modelcontextprotocol/';
const VERSION = `${PREFIX}protocolVersion`;
const CLIENT = `${PREFIX}clientInfo`;
const CAPABILITIES = `${PREFIX}clientCapabilities`;
export const SERVER = `${PREFIX}serverInfo`;

interface Form {
  readonly eras: readonly Era[];
  /** The parameters it may have beside `_meta`. */
  readonly takes: readonly string[];
  readonly fits?: (params: Readonly<Record<string, unknown>>) => boolean;
}

const NOTHING: readonly string[] = [];

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['ping', { eras: ['legacy'], takes: NOTHING }],
  ['tools/list', { eras: ['legacy', 'modern'], takes: NOTHING }],
  ['server/discover', { eras: ['modern'], takes: NOTHING }],
  ['logging/setLevel', { eras: ['legacy'], takes: ['level'], fits: ({ level }) => SEVERITY.includes(level as string) }],
  ['tools/call', { eras: ['legacy', 'modern'], takes: ['name', 'arguments'], fits: isToolCall }],
  ['initialize', { eras: ['legacy'], takes: ['protocolVersion', 'capabilities', 'clientInfo'], fits: isIntroduction }],
]);

/**
 * Takes a message apart if it is one that the lane knows to the last key; undefined for every other, right or wrong. What
 * the official server would refuse, or do more for than answer, must not be recognised here.
 */
export function recognize(message: unknown): Asked | undefined {
  if (!isRecord(message)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || !isId(id) || typeof method !== 'string') return undefined;
  if (Object.keys(message).length !== (params === undefined ? 3 : 4)) return undefined;
  const form = FORMS.get(method);
  if (!form) return undefined;
  if (params === undefined) {
    const isWhole = form.fits === undefined && form.eras.includes('legacy');
    return isWhole ? { era: 'legacy', id, method, params: NONE, meta: NONE } : undefined;
  }
  if (!isRecord(params) || !hasOnly(params, form.takes)) return undefined;
  const meta = params['_meta'] === undefined ? NONE : params['_meta'];
  const era = isRecord(meta) ? eraOf(meta) : undefined;
  if (era === undefined || !form.eras.includes(era) || form.fits?.(params) === false) return undefined;
  return { era, id, method, params, meta: meta as Asked['meta'] };
}

/** What the caller of a request says it can be asked. */
export function capabilitiesOf({ meta }: Asked): Readonly<Record<string, unknown>> {
  return meta[CAPABILITIES] as Record<string, unknown>;
}

const NONE: Readonly<Record<string, never>> = Object.freeze({});

function hasOnly(params: Record<string, unknown>, takes: readonly string[]): boolean {
  for (const key of Object.keys(params)) if (key !== '_meta' && !takes.includes(key)) return false;
  return true;
}

/** Undefined where there is more in it than an envelope and a trace: a token for progress, a level for logs. */
function eraOf(meta: Record<string, unknown>): Era | undefined {
  let isModern = false;
  for (const key of Object.keys(meta)) {
    const value = meta[key];
    if (key === VERSION && value === MODERN) isModern = true;
    else if (key === CLIENT ? !isClient(value) : key === CAPABILITIES ? !isCapabilities(value) : !isTrace(key, value))
      return undefined;
  }
  const isWhole = meta[CLIENT] !== undefined && meta[CAPABILITIES] !== undefined;
  if (isModern) return isWhole ? 'modern' : undefined;
  return meta[CLIENT] === undefined && meta[CAPABILITIES] === undefined ? 'legacy' : undefined;
}

const isTrace = (key: string, value: unknown) =>
  (key === 'traceparent' || key === 'tracestate' || key === 'baggage') && typeof value === 'string';

/** The arguments may be anything: the pipeline judges them. */
function isToolCall({ name }: Readonly<Record<string, unknown>>): boolean {
  return typeof name === 'string';
}

function isIntroduction({ protocolVersion, capabilities, clientInfo }: Readonly<Record<string, unknown>>): boolean {
  return typeof protocolVersion === 'string' && isCapabilities(capabilities) && isClient(clientInfo);
}

const CLIENT_WORDS = ['name', 'version', 'title', 'description', 'websiteUrl'];
const ICON_WORDS = ['src', 'mimeType'];

function isClient(client: unknown): boolean {
  if (!isRecord(client) || client['name'] === undefined || client['version'] === undefined) return false;
  for (const key of Object.keys(client)) {
    const value = client[key];
    const fits = key === 'icons' ? Array.isArray(value) && value.every(isIcon) : isWord(CLIENT_WORDS, key, value);
    if (!fits) return false;
  }
  return true;
}

function isIcon(icon: unknown): boolean {
  return (
    isRecord(icon) &&
    icon['src'] !== undefined &&
    Object.entries(icon).every(([key, value]) =>
      key === 'sizes' ? Array.isArray(value) && value.every(isText) : isWord(ICON_WORDS, key, value),
    )
  );
}

const isText = (value: unknown) => typeof value === 'string';
const isWord = (words: readonly string[], key: string, value: unknown) => words.includes(key) && isText(value);

function isCapabilities(capabilities: unknown): boolean {
  if (!isRecord(capabilities)) return false;
  for (const key of Object.keys(capabilities)) {
    const declared = capabilities[key];
    if (!isRecord(declared) || !CAPABILITY[key]?.(declared)) return false;
  }
  return true;
}

const hasRecords = (declared: Record<string, unknown>) => Object.values(declared).every(isRecord);

const CAPABILITY: Readonly<Record<string, (declared: Record<string, unknown>) => boolean>> = {
  __proto__: null as never,
  experimental: hasRecords,
  extensions: hasRecords,
  sampling: hasRecords,
  elicitation: (declared) =>
    hasRecords(declared) && isFlag((declared['form'] as { applyDefaults?: unknown })?.applyDefaults),
  roots: ({ listChanged }) => isFlag(listChanged),
};

const isFlag = (value: unknown) => value === undefined || typeof value === 'boolean';
