import type { Caller } from '../../core/context.ts';
import type { HttpRequest } from './message.ts';
import { traceIn } from '../trace-context.ts';

const ANONYMOUS: Caller = Object.freeze({ wire: 'http' });

/** Who calls, as far as the headers say. Most say nothing, and cost nothing. */
export function callerOf(headers: HttpRequest['headers'], wire = 'http'): Caller {
  const requestId = headers['x-request-id'];
  if (requestId === undefined && headers['traceparent'] === undefined) return wire === 'http' ? ANONYMOUS : { wire };
  return { wire, ...(isId(requestId) && { requestId }), ...traceIn(headers) };
}

/** It goes back in a header and into records, so not everything may stand in it. */
function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[\w.:-]{1,128}$/.test(text);
}
