import type { Answer } from '../../app/respond.ts';
import type { Call } from '../../core/call.ts';
import { wireFactsOf } from '../../core/failure.ts';
import type { FailureData } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { isInputRequired } from '../../core/rounds.ts';
import { traceContextOf } from '../trace-context.ts';
import type { Catalog, Sender } from './catalog.ts';
import type { Elicitation } from './elicitation.ts';
import type { RpcError } from './jsonrpc.ts';

/** What a transport adds to a call. */
export type CallHooks = Pick<Call, 'signal' | 'onDisconnect' | 'onLog' | 'onProgress'>;

/** What a message calls. `name` is as it was sent, or an address. */
export type CalledFunction = Pick<Call, 'name' | 'input' | 'deferral' | 'refused'> & {
  readonly fn: RegisteredFunction;
};

/** From an MCP request to a call of the app: of a tool, a prompt or a resource. */
export function toCall(
  { sender: known, environment }: Catalog,
  { name, fn, input, deferral, refused }: CalledFunction,
  meta: Readonly<Record<string, unknown>>,
  elicitation: Elicitation,
  hooks: CallHooks,
  sender: Sender = known,
): Call {
  const { caller, credentials, principal } = sender;
  return {
    name,
    fn,
    input,
    caller: meta['traceparent'] === undefined ? caller : { ...caller, ...traceContextOf(meta) },
    credentials,
    principal,
    environment,
    asker: elicitation,
    deferral,
    refused,
    signal: hooks.signal,
    onLog: hooks.onLog,
    onProgress: hooks.onProgress,
    onDisconnect: (listener) => {
      hooks.onDisconnect?.(listener);
      elicitation.onPending = listener;
    },
  };
}

/** From the end of a call to a tool result as JSON, a JSON-RPC error, or the elicitation that the call waits for. */
export function toToolResponse({ body, outcome }: Answer, elicitation: Elicitation): string | RpcError | Elicitation {
  if (outcome.ok) return body;
  if (isInputRequired(outcome, elicitation)) return elicitation;
  const { mcp } = wireFactsOf(outcome);
  return typeof mcp === 'number' ? toRpcError(mcp, outcome.error) : body;
}

export function toRpcError(number: number, { code, message, details, retryAfter }: FailureData): RpcError {
  const more = { ...(details !== undefined && { details }), ...(retryAfter !== undefined && { retryAfter }) };
  return { code: number, message, data: { code, ...more } };
}
