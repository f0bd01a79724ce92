import { checkResponse } from '../responses/check-response.ts';
import type { Violation } from '../responses/check-response.ts';
import type { ProfileName } from '../responses/profiles/profile.ts';
import { isToolResult } from '../responses/read-tool-result.ts';
import { structureFromText } from '../schema/from-text.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** Guesses the profile of a body; undefined if it looks like none. */
export function profileOf(body: unknown): ProfileName | undefined {
  if (!isRecord(body)) return undefined;
  if (typeof body['success'] === 'boolean') return 'envelope';
  if (isToolResult(body)) return 'mcp';
  if (body['status'] === 'SUCCESS' || body['status'] === 'ERROR') return 'status';
  if (typeof body['status'] === 'number' && typeof body['title'] === 'string') return 'problem';
  return 'result' in body || 'result0' in body || typeof body['error'] === 'string' ? 'plain' : undefined;
}

/** Checks a tool result against the rules of MCP, and against those of the envelope if it is or contains one. */
export function checkToolResult(result: unknown, outputSchema: JsonSchema | undefined): readonly Violation[] {
  const found = [...ignoringErrors(() => checkResponse(result, { profile: 'mcp', outputSchema }))];
  const envelope = [result, ...carriedBy(result)].find((body) => profileOf(body) === 'envelope');
  return [...found, ...(envelope === undefined ? [] : checkResponse(envelope, { profile: 'envelope' }))];
}

function carriedBy(result: unknown): readonly unknown[] {
  if (!isRecord(result)) return [];
  const { structuredContent, content } = result;
  const [first] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const text = isRecord(first) && typeof first['text'] === 'string' ? structureFromText(first['text']) : undefined;
  return [structuredContent, text];
}

/** Ignores errors: other people's schemas may be unsupported. */
function ignoringErrors(check: () => readonly Violation[]): readonly Violation[] {
  try {
    return check();
  } catch {
    return [];
  }
}
