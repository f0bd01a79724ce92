import { ProtocolError } from '@modelcontextprotocol/server';
import { wireFactsOf } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import { toRpcError } from '../call-tool.ts';
import { isDenied } from '../denial.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST } from '../jsonrpc.ts';
import type { RpcError } from '../jsonrpc.ts';

/** An error for the SDK to send. */
export const toProtocolError = ({ code, message, data }: RpcError) => new ProtocolError(code, message, data);

/** A failed call of something that has no result for failures: all but tools. */
export function failureError(outcome: Failed): ProtocolError {
  const { mcp } = wireFactsOf(outcome);
  const isInvalid = outcome.error.code === 'INVALID_ARGUMENTS';
  const fallback = isInvalid ? INVALID_PARAMS : isDenied(outcome) ? INVALID_REQUEST : INTERNAL_ERROR;
  return toProtocolError(toRpcError(typeof mcp === 'number' ? mcp : fallback, outcome.error));
}
