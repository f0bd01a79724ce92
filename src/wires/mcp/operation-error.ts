import { wireFactsOf } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { toRpcError } from './call-tool.ts';
import { isDenied } from './denial.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST } from './jsonrpc.ts';
import type { RpcError } from './jsonrpc.ts';

/** The failed call of something that has no result for failures: all but tools. */
export function toOperationError(outcome: Failed): RpcError {
  const { mcp } = wireFactsOf(outcome);
  const isInvalid = outcome.error.code === 'INVALID_ARGUMENTS';
  const fallback = isInvalid ? INVALID_PARAMS : isDenied(outcome) ? INVALID_REQUEST : INTERNAL_ERROR;
  return toRpcError(typeof mcp === 'number' ? mcp : fallback, outcome.error);
}
