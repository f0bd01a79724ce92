import { isRecord } from '../../../schema/json-schema.ts';
import { isId } from '../jsonrpc.ts';

/** Refuses a body that the SDK would take, and answer wrongly. */
export function invalidRequest(message: string, body: unknown): Response {
  const id = isRecord(body) && isId(body['id']) ? body['id'] : null;
  const error = { code: -32600, message: `Invalid Request: ${message}` };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
}
