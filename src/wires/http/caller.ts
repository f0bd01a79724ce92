import type { App } from '../../app/app.ts';
import type { Caller } from '../../core/context.ts';
import type { HttpHeaders, HttpRequest } from './message.ts';
import { traceContextOf } from '../trace-context.ts';

/** Reads where a request comes from. */
export type ReadCaller = (request: HttpRequest) => Caller;

/** A caller about whom nothing else is known. */
const UNKNOWN: Caller = { wire: 'http' };

export function createCallerReader({ access }: Pick<App, 'access'>, wire = UNKNOWN.wire): ReadCaller {
  const unknown: Caller = Object.freeze({ ...UNKNOWN, wire });
  const chosen = access?.options.headers?.map((name) => name.toLowerCase());
  return ({ headers, address, scheme }) => {
    const requestId = headers['x-request-id'];
    if (requestId === undefined && headers['traceparent'] === undefined && !chosen)
      return address === undefined ? unknown : { wire, address, scheme };
    return {
      wire,
      ...(address !== undefined && { address }),
      ...(scheme !== undefined && { scheme }),
      ...(chosen && { headers: chosenFrom(headers, chosen) }),
      ...(isRequestId(requestId) && { requestId }),
      ...traceContextOf(headers),
    };
  };
}

/** The request headers that the app asked for, as far as they were sent. */
function chosenFrom(headers: HttpHeaders, names: readonly string[]): Readonly<Record<string, string>> {
  const found = names.flatMap((name) => {
    const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.freeze(Object.fromEntries(found) as Record<string, string>);
}

/** The id is echoed in a header and written to records, so only safe characters are accepted. */
function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:-]{1,128}$/.test(value);
}
