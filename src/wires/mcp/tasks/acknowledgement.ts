import { isRecord } from '../../../schema/json-schema.ts';
import type { Message } from '../jsonrpc.ts';

/** Adds tasks to what the SDK acknowledges, if the message is an acknowledgement. */
export function acknowledgeTasks(
  message: Message | undefined,
  taskIds: readonly string[],
): { readonly message: Message; readonly hasOthers: boolean } | undefined {
  const params = message?.['method'] === 'notifications/subscriptions/acknowledged' ? message['params'] : undefined;
  if (!isRecord(params) || !isRecord(params['notifications'])) return undefined;
  const { notifications } = params;
  return {
    message: { ...message, params: { ...params, notifications: { ...notifications, taskIds } } },
    hasOthers: Object.keys(notifications).length > 0,
  };
}
