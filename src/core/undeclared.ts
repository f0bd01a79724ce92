import type { Log } from './context.ts';
import { isFromFramework } from './failure.ts';
import type { FailureParts } from './failure.ts';
import type { Released } from './input-output.ts';
import type { RegisteredFunction } from './registered-function.ts';
import { safely } from './safely.ts';

/** Codes may be computed, so what is remembered is limited. */
const MAX_NOTED = 1000;

/**
 * Logs each code that a function raises without declaring it, once for each function: callers do not find it in the OpenAPI
 * document or in the types of the client.
 */
export function createUndeclaredLog(log: Log): (failure: FailureParts, fn: RegisteredFunction) => void {
  const noted = new Set<string>();
  const note = (failure: FailureParts, { kind, operationId, definition }: RegisteredFunction) => {
    const { code } = failure;
    const isDeclared = definition.errors && Object.hasOwn(definition.errors, code);
    // Resources and prompts declare no errors.
    if (isDeclared || kind !== 'function' || isFromFramework(failure)) return;
    const key = `${operationId} ${code}`;
    if (noted.has(key) || noted.size >= MAX_NOTED) return;
    noted.add(key);
    log.warn(
      `${operationId} raised ${code}, which it does not declare; add errors: { ${code}: { description: '…' } }`,
      {
        operationId,
        code,
      },
    );
  };
  // A Failure can be manipulated so that it throws on access.
  return (failure, fn) => safely(() => note(failure, fn));
}

/**
 * What a function without `output` returns is not sent. Logs a value, once: an author who forgot `output` would look for it in
 * vain. Null is how some say nothing.
 */
export function releaseNothing(operationId: string, log: Log): (value: unknown) => Released {
  let isNoted = false;
  return (value) => {
    if (value !== undefined && value !== null && !isNoted) {
      isNoted = true;
      const type = Array.isArray(value) ? 'array' : typeof value;
      const schema = JSON_TYPES.has(type) ? `{ type: '${type}', description: '…' }` : '…';
      log.warn(
        `${operationId} returned a value that is not sent, because it declares no output; add output: ${schema}, or return nothing`,
        { operationId },
      );
    }
    return { value: undefined };
  };
}

const JSON_TYPES: ReadonlySet<string> = new Set(['array', 'boolean', 'number', 'object', 'string']);
