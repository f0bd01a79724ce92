import { isRecord } from '../../../schema/json-schema.ts';
import { isToolCall } from '../check-message.ts';

/** The key under which the SDK passes on the arguments of a tool call. */
const WRAPPED = 'everywire/arguments';

/**
 * Wraps the arguments in a message, or in a batch of them. The SDK's schemas reject arguments that are not an object and
 * drop the key `__proto__`; one level down they accept any JSON, which the pipeline checks as on every other wire.
 */
export function wrapArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(wrapArguments);
  if (!isRecord(message) || !isToolCall(message)) return message;
  const { params } = message;
  return { ...message, params: { ...params, arguments: { [WRAPPED]: params.arguments } } };
}

/** The arguments as the client sent them. */
export function unwrapArguments(params: {
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}): unknown {
  return params.arguments?.[WRAPPED];
}
