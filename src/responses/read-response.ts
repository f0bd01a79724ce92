import { isOutcome, refuse } from '../core/failure.ts';
import { success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import { structureFromText } from '../schema/from-text.ts';
import { isRecord } from '../schema/json-schema.ts';
import { isErrorValue } from './complete-response.ts';
import { readError, unknownError } from './profiles/unknown-error.ts';
import { profiles } from './profiles/profiles.ts';
import { isToolResult, readToolResult } from './read-tool-result.ts';

/**
 * Reads the response of any server as an outcome: a body of any profile, a tool result of any MCP revision, a JSON-RPC
 * response that contains one, any other JSON, or plain text. Never throws.
 */
export function readResponse(response: unknown): Outcome {
  try {
    return readAny(response);
  } catch {
    // Any access to a Proxy or a getter may throw.
    return refuse('INVALID_RESPONSE_FORMAT', 'The response cannot be read');
  }
}

function readAny(response: unknown): Outcome {
  if (typeof response === 'string') return readText(response);
  if (!isRecord(response)) return success(response);
  if (response['jsonrpc'] === '2.0') return readRpc(response);
  return readBody(response);
}

/** Plain text that starts with "Error:" is an error. */
function readText(text: string): Outcome {
  const structure = structureFromText(text);
  if (structure !== undefined) return readAny(structure);
  const [, message] = /^error:\s*(.*)/is.exec(text) ?? [];
  return message === undefined ? success(text) : unknownError(message.trim());
}

function readRpc({ error, result }: Record<string, unknown>): Outcome {
  if (!isRecord(error)) return readAny(result);
  const { code, message, data } = error;
  const known = isRecord(data) && typeof data['code'] === 'string' ? data : { details: data };
  return readError({ code: rpcCode(code), message, ...known });
}

/** Our code for a JSON-RPC error number. */
function rpcCode(code: unknown): string {
  return RPC_CODES.get(code) ?? 'UNKNOWN_ERROR';
}

const RPC_CODES = new Map<unknown, string>([
  [-32700, 'INVALID_JSON'],
  [-32600, 'BAD_REQUEST'],
  [-32601, 'FUNCTION_NOT_FOUND'],
  [-32602, 'INVALID_ARGUMENTS'],
  [-32603, 'INTERNAL_ERROR'],
]);

const NOT_READ = 'This is a fetch Response, not its body; pass await response.json()';

/** `{statusCode: 404, error: 'Not Found', message: 'Route GET /x not found'}`, as sent by Fastify and others. */
function isFrameworkError({ statusCode, message }: Record<string, unknown>): boolean {
  return typeof statusCode === 'number' && statusCode >= 400 && typeof message === 'string';
}

function readBody(body: Record<string, unknown>): Outcome {
  if (body instanceof Response) return refuse('INVALID_RESPONSE_FORMAT', NOT_READ);
  if (isOutcome(body) && body.ok) return success(body.data);
  if (body['ok'] === false && isErrorValue(body['error'])) return readError(body['error']);
  if (isFrameworkError(body)) return readError({ ...body, code: body['code'] ?? body['error'] });
  if (isToolResult(body)) return readToolResult(body, readInside);
  for (const { read } of [profiles.envelope, profiles.status, profiles.problem]) {
    const outcome = read(body);
    if (outcome) return outcome;
  }
  return isRecord(body['error']) ? readError(foreignError(body['error'])) : success(body);
}

/**
 * Reads the body inside a tool result. It is the author's data unless it is a complete body of a profile: a `success`
 * flag alone may be part of the data.
 */
function readInside(body: unknown): Outcome {
  if (!isRecord(body)) return success(body);
  const isEnvelope = typeof body['success'] === 'boolean' && 'timestamp' in body && Array.isArray(body['content']);
  const isStatus = 'status' in body && Object.keys(body).every((name) => ['status', 'data', 'error'].includes(name));
  const outcome = isEnvelope
    ? profiles.envelope.read(body)
    : isStatus
      ? profiles.status.read(body)
      : profiles.problem.read(body);
  return outcome ?? success(body);
}

/** `{"error":{…}}`, as sent by many APIs: some call the code `type` or `status`. */
function foreignError(error: Record<string, unknown>): Record<string, unknown> {
  const { code, type, status, details = error['data'] } = error;
  const named = [code, status, type].find((name) => typeof name === 'string');
  return { ...error, code: named, details };
}
