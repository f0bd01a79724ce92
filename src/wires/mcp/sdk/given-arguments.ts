import { isRecord } from '../../../schema/json-schema.ts';
import { isToolCall } from '../check-message.ts';

/** Where the arguments of a call stand while the SDK looks at the rest. */
const GIVEN = 'everywire/given';

/**
 * A message, or a batch of them, for the SDK: its schemas refuse arguments that are no object and drop the key `__proto__`,
 * while everywhere else the pipeline judges them. So they are put one level down, where the SDK passes on anything.
 */
export function putAside(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(putAside);
  if (!isRecord(message) || !isToolCall(message)) return message;
  const { params } = message;
  return { ...message, params: { ...params, arguments: { [GIVEN]: params.arguments } } };
}

/** The arguments as they came. */
export function givenIn(params: { readonly arguments?: Readonly<Record<string, unknown>> | undefined }): unknown {
  return params.arguments?.[GIVEN];
}
