import { success } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { objectOf } from './object-schema.ts';
import type { Profile } from './profile.ts';
import { unknownError } from './unknown-error.ts';

/** `{"result":v}`, `{"result0":…,"result1":…}`, `{}` or `{"error":"…"}`, and no other key. */
export const plain: Profile = {
  name: 'plain',
  loses: ['code', 'details', 'retry', 'retryAfter'],

  render(outcome, fn) {
    if (!outcome.ok) return { error: outcome.error.message };
    const kind = fn ? fn.returned.kind : kindOf(outcome.data);
    if (kind === 'one') return { result: outcome.data };
    if (kind === 'none') return {};
    return Object.fromEntries((outcome.data as readonly unknown[]).map((value, i) => [`result${i}`, value]));
  },

  read(body, fn) {
    if (!isRecord(body)) return undefined;
    const names = Object.keys(body);
    if (names.length === 1 && typeof body['error'] === 'string') return unknownError(body['error']);
    const found = readResults(body, names);
    return found && (fn === undefined || fn.returned.kind === found.kind) ? success(found.data) : undefined;
  },

  successSchema(returned) {
    if (returned.kind === 'none') return objectOf({});
    if (returned.kind === 'one') return objectOf({ result: returned.schema.json });
    return objectOf(Object.fromEntries(returned.schemas.map(({ json }, i) => [`result${i}`, json])));
  },

  failureSchema: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] },
};

/** Without a function, undefined means no result. */
function kindOf(data: unknown): 'none' | 'one' {
  return data === undefined ? 'none' : 'one';
}

interface Results {
  readonly kind: 'none' | 'one' | 'several';
  readonly data: unknown;
}

function readResults(body: Record<string, unknown>, names: readonly string[]): Results | undefined {
  if (names.length === 0) return { kind: 'none', data: undefined };
  if (names.length === 1) return 'result' in body ? { kind: 'one', data: body['result'] } : undefined;
  const isSeveral = names.every((_, i) => Object.hasOwn(body, `result${i}`));
  return isSeveral ? { kind: 'several', data: names.map((_, i) => body[`result${i}`]) } : undefined;
}
