import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import { INVALID_PARAMS } from '../jsonrpc.ts';

type Wrap = Server['_wrapHandler'];

const ISSUES = /^(?:\$?ZodError: )?(\[.*)$/s;
const TOOL_CALL_ISSUES = /^Invalid tools\/call request: (?:\$?ZodError: )?(\[.*)$/s;

/** More problems than these are only counted. */
const MAX_PROBLEMS = 5;

/**
 * The SDK's server, with other errors for invalid parameters, and tasks as results of tools. The SDK sends the issues of its schemas as indented JSON,
 * and for all methods but `tools/call` as an internal error.
 */
export class ReadableErrorsServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Wrap>): ReturnType<Wrap> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        const result = await wrapped(request, context);
        return isRecord(result) && result['resultType'] === 'task' ? withoutContent(result) : result;
      } catch (thrown) {
        const problems = schemaProblems(thrown);
        throw problems ? new ProtocolError(INVALID_PARAMS, `Invalid params: ${problems}`) : thrown;
      }
    };
  }
}

/** The SDK adds a `content` to the result of every tool. */
function withoutContent<T extends Record<string, unknown>>(result: T): Omit<T, 'content'> {
  const { content: _, ...task } = result;
  return task;
}

/** The issues of the SDK's schemas in one sentence; undefined for any other error. */
function schemaProblems(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  // Our own handlers throw nothing but ProtocolError, with messages that may come from the app.
  const known = thrown instanceof ProtocolError ? TOOL_CALL_ISSUES : ISSUES;
  const json = known.exec(thrown.message)?.[1];
  if (json === undefined) return undefined;
  try {
    const issues: unknown = JSON.parse(json);
    if (!Array.isArray(issues) || issues.length === 0) return undefined;
    const problems = issues.slice(0, MAX_PROBLEMS).map(describe);
    const others = issues.length - problems.length;
    return problems.join('; ') + (others > 0 ? `; and ${others} more` : '');
  } catch {
    return undefined;
  }
}

function describe(issue: unknown): string {
  const { path, message } = isRecord(issue) ? issue : {};
  const keys = Array.isArray(path) ? path.map(String) : [];
  const where = (keys[0] === 'params' && keys.length > 1 ? keys.slice(1) : keys).join('.');
  const problem = String(message).replace(/^Invalid input: /, '');
  if (problem.endsWith(', received undefined')) return `${where} is missing`;
  return where === '' ? problem : `${where}: ${problem}`;
}
