import type { Call } from '../core/call.ts';
import type { CallState } from '../core/call-state.ts';
import { MAX_NESTED_CALLS, toThrown } from '../core/nested-calls.ts';
import type { CallNested } from '../core/nested-calls.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Registry } from '../core/registry.ts';

/** `context.call`: a call like any other, for the caller of the outer one, and no longer than that. */
export function createNestedCalls(
  registry: Registry,
  call: (name: string, input: unknown, parts: Partial<Call>) => Promise<Outcome>,
): CallNested {
  return async (outer, target, input) => {
    // By name: an app may serve a definition that was changed or wrapped after it was defined.
    const name = typeof target === 'string' ? target : target?.name;
    const fn = registry.find(name);
    if (!fn) throw new Error(`context.call: ${name} is not a function of this app`);
    if (outer.depth >= MAX_NESTED_CALLS)
      throw new Error(
        `context.call: ${fn.operationId} is nested in more than ${MAX_NESTED_CALLS} calls; do functions call each other in a cycle?`,
      );
    const outcome = await call(name, input, partsFrom(outer));
    if (!outcome.ok) throw toThrown(outcome, fn.operationId);
    return outcome.data;
  };
}

/** Progress and attached content belong to the function that the caller called. */
function partsFrom(outer: CallState): Partial<Call> {
  const { call, environment, principal } = outer.parts;
  const { caller, asker, onLog } = call;
  return {
    outer,
    environment,
    principal,
    asker,
    onLog,
    signal: outer.signal,
    // The id under which the outer call is logged and recorded, also if it was made up.
    caller: caller.requestId === undefined ? { ...caller, requestId: outer.requestId } : caller,
  };
}
