import { ProtocolError } from '@modelcontextprotocol/server';
import { wireFactsOf } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import { toRpcError } from '../call-tool.ts';
import { INTERNAL_ERROR, INVALID_PARAMS } from '../jsonrpc.ts';
import type { RpcError } from '../jsonrpc.ts';

/** An error for the SDK to send. */
export const toProtocolError = ({ code, message, data }: RpcError) => new ProtocolError(code, message, data);

/** A failed call of something that has no result for failures: all but tools. */
export function failureError(outcome: Failed): ProtocolError {
  const { mcp } = wireFactsOf(outcome);
  const fallback = outcome.error.code === 'INVALID_ARGUMENTS' ? INVALID_PARAMS : INTERNAL_ERROR;
  return toProtocolError(toRpcError(typeof mcp === 'number' ? mcp : fallback, outcome.error));
}
