import { once } from '../../core/once.ts';
import { failed, success } from '../../core/outcome.ts';
import type { FailureData, Outcome } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { dataSchema, objectOf } from './object-schema.ts';
import type { Profile } from './profile.ts';
import { readError } from './unknown-error.ts';

/** A success or an error, discriminated by `status`: one type for every tool instead of maps with magic keys. */
export type McpServerResponse<T = unknown, C extends string = string> =
  | { readonly status: 'SUCCESS'; readonly data: T }
  | { readonly status: 'ERROR'; readonly error: McpServerError<C> };

export type McpServerError<C extends string = string> = FailureData<C>;

export function toStatus<T, C extends string>(outcome: Outcome<T, C>): McpServerResponse<T, C> {
  return outcome.ok ? { status: 'SUCCESS', data: outcome.data } : { status: 'ERROR', error: outcome.error };
}

export function fromStatus<T, C extends string>(response: McpServerResponse<T, C>): Outcome<T, C> {
  return response.status === 'SUCCESS' ? success(response.data) : failed(response.error);
}

/** Some servers put their data next to `status` instead of under `data`. */
function dataIn(body: Record<string, unknown>): unknown {
  const { status: _, ...rest } = body;
  return 'data' in rest || Object.keys(rest).length === 0 ? rest['data'] : rest;
}

const error: JsonSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    details: {},
    retry: { type: 'boolean' },
    retryAfter: { type: 'number' },
  },
  required: ['code', 'message', 'retry'],
};

const failureSchema = once(() => objectOf({ status: { const: 'ERROR' }, error }));

export const status: Profile = {
  name: 'status',
  loses: [],

  render: (outcome) => toStatus(outcome),

  read(body) {
    if (!isRecord(body)) return undefined;
    if (body['status'] === 'SUCCESS') return success(dataIn(body));
    return body['status'] === 'ERROR' ? readError(body['error'] ?? body['message']) : undefined;
  },

  successSchema: (returned) => objectOf({ status: { const: 'SUCCESS' }, data: dataSchema(returned) }),

  get failureSchema() {
    return failureSchema();
  },
};
