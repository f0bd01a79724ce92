import { ProtocolError } from '@modelcontextprotocol/server';
import { factsOf } from '../../../core/codes.ts';
import type { FailureData } from '../../../core/outcome.ts';

/** A failure as a JSON-RPC error. */
export function protocolError({ code, message, details }: FailureData): ProtocolError {
  const { mcp } = factsOf(code);
  const number = typeof mcp === 'number' ? mcp : code === 'INVALID_ARGUMENTS' ? -32602 : -32603;
  return new ProtocolError(number, message, { code, ...(details !== undefined && { details }) });
}
