import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { received } from '../../schema/problem.ts';

// Why a request does not become a call.

/** The message for requests that arrive while the server stops. */
export const STOPPING = 'The server is stopping';

export const stopping = (): Failed => refuse('UNAVAILABLE', STOPPING, { retryAfter: 1 });

export const noSuchPath = (path: string): Failed => refuse('NOT_FOUND', `No such path: ${path}`);

export const methodNotAllowed = (method: string, allow: string): Failed =>
  refuse('METHOD_NOT_ALLOWED', `${method} is not allowed here, only ${allow}`);

export const badQuery = (name: string, allowed: readonly string[], given: readonly string[]): Failed =>
  refuse('BAD_REQUEST', `${name} must be ${allowed.join(' or ')}, not ${received(given.join(', '))}`);

export const notAcceptable = (offered: readonly string[]): Failed =>
  refuse('NOT_ACCEPTABLE', `Not acceptable; available: ${offered.join(', ')}`, { details: { offered } });

export const hostNotServed = (host: unknown = ''): Failed =>
  refuse(
    'FORBIDDEN',
    `Host ${JSON.stringify(host)} is not served here (the server can allow it with hosts or --allow-host)`,
  );

export const originNotAllowed = (origin: unknown): Failed =>
  refuse(
    'FORBIDDEN',
    `Origin ${JSON.stringify(origin)} is not allowed here (the server can allow it with cors.origins or --allow-origin)`,
  );
