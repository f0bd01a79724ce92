import { checkResponse } from '../responses/check-response.ts';
import type { Violation } from '../responses/check-response.ts';
import type { ProfileName } from '../responses/profiles/profile.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { checkToolResult, profileOf } from './check-body.ts';
import type { AuditReport, Finding } from './finding.ts';

/**
 * Audits a log with one JSON value per line: messages of an MCP session, audit records of everywire, or response bodies.
 * A body of unknown form is checked against the given profile, or against the envelope.
 */
export function auditLog(text: string, file: string, profile: ProfileName | undefined): AuditReport {
  const findings: Finding[] = [];
  const session = new Session();
  let responses = 0;
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${file}:${i + 1}`;
    const add = ({ rule, pointer, message }: Violation, subject = `line ${i + 1}`) =>
      void findings.push({ rule, subject, message: pointer ? `${pointer}: ${message}` : message, reproduce: place });
    const value = parse(line);
    if (value === undefined) {
      add({ rule: 'log.json', pointer: '', message: `not JSON: ${line.slice(0, 60)}` });
      continue;
    }
    const read = session.read(value) ?? readRecord(value) ?? readBody(value, profile);
    if (!read) continue;
    responses++;
    for (const violation of read.violations) add(violation, read.subject);
  }
  return { findings, checked: [file], skipped: [], responses };
}

interface Read {
  readonly violations: readonly Violation[];
  readonly subject?: string | undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** One MCP session. Output schemas come from tools/list; the request shows to which tool a result belongs. */
class Session {
  readonly #requests = new Map<unknown, { method: unknown; name: unknown }>();
  readonly #schemas = new Map<unknown, JsonSchema>();

  /** Undefined if it is not a message; without violations if it has no result to check. */
  read(message: unknown): Read | undefined {
    if (!isRecord(message) || message['jsonrpc'] !== '2.0') return undefined;
    const { id, method, params, result } = message;
    if (method !== undefined) {
      this.#requests.set(id, { method, name: isRecord(params) ? params['name'] : undefined });
      return { violations: [] };
    }
    const request = this.#requests.get(id);
    if (request?.method === 'tools/list') this.#remember(result);
    if (request?.method !== 'tools/call' || result === undefined) return { violations: [] };
    const subject = typeof request.name === 'string' ? request.name : undefined;
    return { violations: checkToolResult(result, this.#schemas.get(request.name)), subject };
  }

  #remember(result: unknown): void {
    const tools = isRecord(result) && Array.isArray(result['tools']) ? (result['tools'] as unknown[]) : [];
    for (const tool of tools.filter(isRecord)) {
      if (isRecord(tool['outputSchema'])) this.#schemas.set(tool['name'], tool['outputSchema']);
    }
  }
}

/** An audit record of everywire contains the violations. */
function readRecord(value: unknown): Read | undefined {
  if (!isRecord(value) || typeof value['operationId'] !== 'string' || !Array.isArray(value['violations']))
    return undefined;
  const violations = (value['violations'] as unknown[]).filter(isRecord) as unknown as Violation[];
  return { violations, subject: value['operationId'] };
}

function readBody(value: unknown, profile: ProfileName | undefined): Read {
  const found = profile ?? profileOf(value) ?? 'envelope';
  const violations = found === 'mcp' ? checkToolResult(value, undefined) : checkResponse(value, { profile: found });
  return { violations };
}
