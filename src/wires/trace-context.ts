import type { Caller } from '../core/context.ts';

const FIELDS = ['traceparent', 'tracestate', 'baggage'];

/** W3C trace context from HTTP headers or from the `_meta` of an MCP request; nothing without `traceparent`. */
export function traceContextOf(source: Readonly<Record<string, unknown>>): Pick<Caller, 'trace'> {
  if (typeof source['traceparent'] !== 'string') return {};
  const entries = FIELDS.flatMap((name) => (typeof source[name] === 'string' ? [[name, source[name]]] : []));
  return { trace: Object.fromEntries(entries) as Record<string, string> };
}
