import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { isByFramework } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { RpcError } from '../jsonrpc.ts';
import { toOperationError } from '../operation-error.ts';

/** An error for the SDK to send. */
export const toProtocolError = ({ code, message, data }: RpcError) => new ProtocolError(code, message, data);

/** A failed call of something that has no result for failures: all but tools. */
export function failureError(outcome: Failed): ProtocolError {
  // The SDK has an error of its own for a resource that does not exist, or seems so.
  if (outcome.error.code === 'RESOURCE_NOT_FOUND' && isByFramework(outcome))
    return new ResourceNotFoundError(outcome.error.message.replace(/^Resource not found: /, ''));
  return toProtocolError(toOperationError(outcome));
}
