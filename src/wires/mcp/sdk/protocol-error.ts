import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { isByFramework, wireFactsOf } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import { toRpcError } from '../call-tool.ts';
import { isDenied } from '../denial.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST } from '../jsonrpc.ts';
import type { RpcError } from '../jsonrpc.ts';

/** An error for the SDK to send. */
export const toProtocolError = ({ code, message, data }: RpcError) => new ProtocolError(code, message, data);

/** A failed call of something that has no result for failures: all but tools. */
export function failureError(outcome: Failed): ProtocolError {
  // The SDK has an error of its own for a resource that does not exist, or seems so.
  if (outcome.error.code === 'RESOURCE_NOT_FOUND' && isByFramework(outcome))
    return new ResourceNotFoundError(outcome.error.message.replace(/^Resource not found: /, ''));
  const { mcp } = wireFactsOf(outcome);
  const isInvalid = outcome.error.code === 'INVALID_ARGUMENTS';
  const fallback = isInvalid ? INVALID_PARAMS : isDenied(outcome) ? INVALID_REQUEST : INTERNAL_ERROR;
  return toProtocolError(toRpcError(typeof mcp === 'number' ? mcp : fallback, outcome.error));
}
