import type { TaskTerms } from './task-connection.ts';

/** What a request says about tasks. Nothing, if there is nothing to say: browsers ask servers about each header. */
export function termHeaders({ wantsTask = false, idempotencyKey }: TaskTerms = {}): Record<string, string> {
  return {
    ...(wantsTask && { prefer: 'respond-async' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
}
