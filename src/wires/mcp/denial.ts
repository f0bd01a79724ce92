import type { App } from '../../app/app.ts';
import { factsOf } from '../../core/codes.ts';
import { isByFramework } from '../../core/failure.ts';
import type { Failed, Outcome } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { createChallenge } from '../http/challenge.ts';
import type { HttpReply } from '../http/message.ts';
import { toRpcError } from './call-tool.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, errorResponse } from './jsonrpc.ts';
import type { MessageId } from './jsonrpc.ts';

/** Whether access rules refused a call: over HTTP, MCP clients expect a status of its own, and then authenticate. */
export function isDenied(outcome: Outcome): outcome is Failed {
  if (outcome.ok || !isByFramework(outcome)) return false;
  const { code, details } = outcome.error;
  // Malformed credentials; nothing else in a call has this error.
  return code === 'UNAUTHENTICATED' || code === 'FORBIDDEN' || (isRecord(details) && details['error'] === INVALID);
}

const INVALID = 'invalid_request';

/** The HTTP response to a refused message, with a JSON-RPC error as its body. */
export type EncodeDenial = (failure: Failed, id: MessageId | null) => HttpReply;

export function createDenialEncoder(app: App): EncodeDenial {
  const challenge = createChallenge(app, '/mcp');
  return (failure, id) => {
    const { code, retryAfter } = failure.error;
    const challenged = challenge?.(failure);
    const number = isDenied(failure) ? INVALID_REQUEST : INTERNAL_ERROR;
    return {
      status: factsOf(code).status,
      headers: {
        'content-type': 'application/json',
        'everywire-error-code': code,
        ...(challenged !== undefined && { 'www-authenticate': challenged }),
        ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }),
      },
      body: JSON.stringify(errorResponse(id, toRpcError(number, failure.error))),
    };
  };
}
