import type { McpClient } from '../client/mcp-connection.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { schemaCheck } from '../responses/rules/matches.ts';
import type { AuditRule } from './audit-rules.ts';
import { checkToolResult } from './check-body.ts';
import type { AuditOptions, AuditReport, Finding } from './finding.ts';
import { UnreachableError, reasonOf } from './finding.ts';
import { generateValue } from './generate-value.ts';
import { seeded } from './random.ts';
import type { Random } from './random.ts';
import type { Recorded, Target } from './record-mcp.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

/** Lists the tools of an MCP server, calls the read-only ones, and checks every result. */
export async function auditMcp(target: Target, options: AuditOptions): Promise<AuditReport> {
  const { recordMcp } = await import('./record-mcp.ts');
  const findings: Finding[] = [];
  const { client, recorded } = await recordMcp(target, options).catch((thrown: unknown) => {
    if (thrown instanceof UnreachableError) throw thrown;
    throw new UnreachableError(`The MCP server cannot be reached: ${reasonOf(thrown)}`);
  });
  try {
    const tools = await listTools(client);
    const callable = tools.filter(({ annotations }) => options.all || annotations?.readOnlyHint === true);
    const random = seeded(options.seed);
    let responses = 0;
    const check = async (tool: Tool, input: unknown, judge: Judge) => {
      const add = (rule: string, message: string) =>
        void findings.push({ rule, subject: tool.name, message, reproduce: reproduceCall(tool.name, input) });
      judge(await exchange(client, recorded, tool.name, input, options.timeout), add, tool);
      responses++;
    };
    for (const tool of callable) {
      for (const input of validFor(tool, random, options.calls)) await check(tool, input, judgeValid);
      // Required fields are missing, which no repair can fix.
      if ((tool.inputSchema.required ?? []).length > 0) await check(tool, {}, judgeInvalid);
    }
    await check({ name: 'everywire-audit-no-such-tool', inputSchema: {} }, {}, judgeUnknown);
    for (const line of recorded.strays) {
      findings.push({
        rule: 'stdio.messages' satisfies AuditRule,
        subject: 'stdout',
        message: `not a message: ${line}`,
        reproduce: target.join(' '),
      });
    }
    const named = (list: readonly Tool[]) => list.map(({ name }) => name);
    return {
      findings,
      checked: named(callable),
      skipped: named(tools.filter((tool) => !callable.includes(tool))),
      responses,
    };
  } finally {
    await client.close?.().catch(() => {}); // the findings do not depend on it
  }
}

type Add = (rule: AuditRule | (string & {}), message: string) => void;
type Judge = (answer: Answer, add: Add, tool: Tool) => void;

/** The response: a result, a JSON-RPC error, or neither. */
interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
}

const judgeValid: Judge = ({ result, error }, add, { outputSchema }) => {
  if (result === undefined) return add('call.answered', error === undefined ? 'no response' : `error ${short(error)}`);
  for (const { rule, pointer, message } of checkToolResult(result, outputSchema)) {
    add(rule, pointer ? `${pointer}: ${message}` : message);
  }
};

const judgeInvalid: Judge = ({ result, error }, add) => {
  if (result === undefined && error === undefined) return add('call.answered', 'no response');
  if (error !== undefined || (isRecord(result) && result['isError'] === true)) return;
  add('call.invalid', `succeeds although required fields are missing: ${short(result)}`);
};

const judgeUnknown: Judge = ({ result, error }, add) => {
  if (error === undefined) add('call.unknown', result === undefined ? 'no response' : `a result: ${short(result)}`);
};

async function listTools(client: McpClient): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  try {
    do {
      const page = (await client.listTools(cursor === undefined ? undefined : { cursor })) as Page;
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined && tools.length < MAX_TOOLS);
  } catch (thrown) {
    throw new UnreachableError(`The MCP server does not list its tools: ${reasonOf(thrown)}`);
  }
  return tools;
}

const MAX_TOOLS = 10_000;

interface Page {
  readonly tools: readonly Tool[];
  readonly nextCursor?: string;
}

/** Returns the raw message, whatever the client makes of it. */
async function exchange(
  client: McpClient,
  recorded: Recorded,
  name: string,
  input: unknown,
  timeout: number,
): Promise<Answer> {
  const from = recorded.messages.length;
  const call = client.callTool({ name, arguments: input as Record<string, unknown> }, { timeout });
  await call.catch(() => {}); // the response was recorded, or there was none
  const exchanged = recorded.messages.slice(from).filter(isRecord);
  const id = exchanged.find(({ method }) => method === 'tools/call')?.['id'];
  const answer = exchanged.find((message) => message['method'] === undefined && message['id'] === id);
  return answer ? { result: answer['result'], error: answer['error'] } : {};
}

/** Distinct arguments that the input schema accepts; empty if none can be generated. */
function validFor({ inputSchema }: Tool, random: Random, calls: number): readonly unknown[] {
  const found = new Map<string, unknown>();
  for (let tries = 0; tries < calls * 20 && found.size < calls; tries++) {
    const value = generateValue(random, inputSchema, inputSchema);
    if (isRecord(value) && isValid(value, inputSchema)) found.set(JSON.stringify(value), value);
  }
  return [...found.values()];
}

function isValid(value: unknown, schema: JsonSchema): boolean {
  try {
    return schemaCheck(schema)(value) === undefined;
  } catch {
    return true; // an unsupported schema: the server decides
  }
}

const reproduceCall = (name: string, input: unknown) => `tools/call ${JSON.stringify({ name, arguments: input })}`;

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
