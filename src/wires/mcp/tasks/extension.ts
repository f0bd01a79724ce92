import { isRecord } from '../../../schema/json-schema.ts';
import type { ClientCapabilities } from '../elicitation.ts';
import type { RpcError } from '../jsonrpc.ts';

/** The extension of revision 2026-07-28. */
const TASKS = 'io.modelcontextprotocol/tasks';

/** A key of `_meta`: two calls of one caller with the same value are one task. */
export const IDEMPOTENCY_KEY = 'everywire/idempotencyKey';

/** A key of `_meta` in revision 2025-11-25. */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** What a server with tasks declares, by era: neither revision knows what the other declares. */
export const TASK_CAPABILITIES = {
  legacy: { tasks: { cancel: {}, requests: { tools: { call: {} } } } },
  modern: { extensions: { [TASKS]: {} } },
};

/** Whether a client takes tasks. In revision 2026-07-28, each request says so for itself. */
export function declaresTasks(capabilities: ClientCapabilities | undefined): boolean {
  const extensions = capabilities?.['extensions'];
  return isRecord(extensions) && isRecord(extensions[TASKS]);
}

export const MISSING_CAPABILITY = -32021;

/** For clients that do not declare the extension. */
export const tasksNotDeclared = (message: string, data: object = {}): RpcError => ({
  code: MISSING_CAPABILITY,
  message,
  data: { ...data, requiredCapabilities: { extensions: { [TASKS]: {} } } },
});
