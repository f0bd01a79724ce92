import type { Caller } from '../../core/context.ts';
import type { HttpRequest } from './message.ts';
import { traceContextOf } from '../trace-context.ts';

const ANONYMOUS: Caller = Object.freeze({ wire: 'http' });

/** The caller, as far as the headers identify it. Most requests do not, and then nothing is allocated. */
export function callerOf(headers: HttpRequest['headers'], wire = 'http'): Caller {
  const requestId = headers['x-request-id'];
  if (requestId === undefined && headers['traceparent'] === undefined) return wire === 'http' ? ANONYMOUS : { wire };
  return { wire, ...(isRequestId(requestId) && { requestId }), ...traceContextOf(headers) };
}

/** The id is echoed in a header and written to records, so only safe characters are accepted. */
function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value);
}
