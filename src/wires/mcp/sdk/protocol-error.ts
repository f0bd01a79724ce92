import { ProtocolError } from '@modelcontextprotocol/server';
import { factsOfFailed } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';

/** A failure as a JSON-RPC error. Only the framework knows what was wrong with a request. */
export function protocolError(outcome: Failed): ProtocolError {
  const { code, message, details } = outcome.error;
  const { mcp } = factsOfFailed(outcome);
  const number = typeof mcp === 'number' ? mcp : code === 'INVALID_ARGUMENTS' ? -32602 : -32603;
  return new ProtocolError(number, message, { code, ...(details !== undefined && { details }) });
}
