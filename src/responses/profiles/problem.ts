import { reasonPhrase } from '../../core/codes.ts';
import { statusOf } from '../../core/failure.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { plain } from './plain.ts';
import type { Profile } from './profile.ts';
import { readError } from './unknown-error.ts';

const TYPE = 'application/problem+json';

/**
 * RFC 9457 for failures, the plain body for successes. Our codes have no URLs, so `type` is about:blank, `title` is the
 * reason phrase of the status, and the code is an extension member.
 */
export const problem: Profile = {
  name: 'problem',
  failureType: TYPE,
  loses: [],

  render(outcome, fn) {
    if (outcome.ok) return plain.render(outcome, fn);
    const { code, message, ...rest } = outcome.error;
    const status = statusOf(outcome, fn?.definition?.errors);
    return { type: 'about:blank', title: reasonPhrase(status), status, detail: message, code, ...rest };
  },

  read(body, fn) {
    if (!isRecord(body) || !isProblemDetails(body)) return plain.read(body, fn);
    return readError({ ...body, message: body['detail'] ?? body['title'] });
  },

  successSchema: plain.successSchema,

  failureSchema: {
    type: 'object',
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string' },
      details: {},
      retry: { type: 'boolean' },
      retryAfter: { type: 'number' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'retry'],
  },
};

/** Requires an error status and a title or detail: other data may have a title or a status, too. */
function isProblemDetails({ status, title, detail }: Record<string, unknown>): boolean {
  const isFailing = Number.isInteger(status) && (status as number) >= 400 && (status as number) <= 599;
  return isFailing && (typeof title === 'string' || typeof detail === 'string');
}
