import type { Caller } from '../core/context.ts';

const NAMES = ['traceparent', 'tracestate', 'baggage'];

/** W3C trace context among a request's headers, or in the `_meta` of an MCP request; nothing without a parent. */
export function traceIn(given: Readonly<Record<string, unknown>>): Pick<Caller, 'trace'> {
  if (typeof given['traceparent'] !== 'string') return {};
  const found = NAMES.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : []));
  return { trace: Object.fromEntries(found) as Record<string, string> };
}
