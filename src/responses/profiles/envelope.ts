import { once } from '../../core/once.ts';
import { success } from '../../core/outcome.ts';
import type { Outcome } from '../../core/outcome.ts';
import { blockUnion } from '../../schema/content-blocks.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { envelopeContent } from '../content/envelope-content.ts';
import { toEnvelopeContent } from '../content/convert.ts';
import type { EnvelopeContent } from '../content/envelope-content.ts';
import { itemSchemas } from '../rules/content-rules.ts';
import { dataSchema, objectOf } from './object-schema.ts';
import { systemClock, timestampFrom } from '../../core/clock.ts';
import type { Profile } from './profile.ts';
import type { Clock } from '../../core/clock.ts';
import { textFor } from '../text.ts';
import { readError } from './unknown-error.ts';

/** A response of the MCP Response Format Standards: flag, timestamp, content for people, and data or error. */
export type Envelope<T = unknown> = SuccessEnvelope<T> | ErrorEnvelope;

export interface SuccessEnvelope<T> {
  readonly success: true;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Never empty. */
  readonly content: readonly EnvelopeContent[];
  readonly data?: T;
}

export interface ErrorEnvelope {
  readonly success: false;
  readonly timestamp: string;
  readonly content: readonly EnvelopeContent[];
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
}

/** Renders an outcome as an envelope, with the given content or text. */
export function toEnvelope<T>(
  outcome: Outcome<T>,
  clock: Clock,
  content?: readonly EnvelopeContent[],
  text?: string,
): Envelope<T> {
  const timestamp = timestampFrom(clock);
  if (outcome.ok) {
    const { data } = outcome;
    const items = content ?? [
      envelopeContent.text(text ?? textFor(data)),
      ...(outcome.content ?? []).map(toEnvelopeContent),
    ];
    return { success: true, timestamp, content: items, ...(data !== undefined && { data }) };
  }
  const { code, message, details } = outcome.error;
  const items = content ?? [envelopeContent.text(text ?? `Error: ${message}`)];
  const error = { code, message, ...(details !== undefined && { details }) };
  return { success: false, timestamp, content: items, error };
}

const timestamp: JsonSchema = { type: 'string', format: 'date-time' };
const content: JsonSchema = { type: 'array', minItems: 1, items: blockUnion(itemSchemas.envelope) };
const error: JsonSchema = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, details: {} },
  required: ['code', 'message'],
};

const failureSchema = once(() => objectOf({ success: { const: false }, timestamp, content, error }));

export function createEnvelope(clock: Clock = systemClock): Profile {
  return {
    name: 'envelope',
    loses: ['retry', 'retryAfter'],

    render: (outcome, fn) => toEnvelope(outcome, clock, undefined, outcome.ok ? textFor(outcome.data, fn) : undefined),

    read(body) {
      if (!isRecord(body) || typeof body['success'] !== 'boolean') return undefined;
      return body['success'] ? success(dataIn(body)) : readError(body['error'] ?? messageIn(body));
    },

    successSchema: (returned) => objectOf({ success: { const: true }, timestamp, content, data: dataSchema(returned) }),

    get failureSchema() {
      return failureSchema();
    },
  };
}

/** Some servers put their data next to `success` instead of under `data`. */
function dataIn(body: Record<string, unknown>): unknown {
  const { success: _, timestamp: __, content: ___, message: ____, error: _____, ...rest } = body;
  return 'data' in rest || Object.keys(rest).length === 0 ? rest['data'] : rest;
}

/** Instead of an error, some servers have a `message`, and some only text for people. */
function messageIn({ message, content: items }: Record<string, unknown>): unknown {
  if (typeof message === 'string') return message;
  const texts = Array.isArray(items) ? items.filter(isRecord).map(({ text }) => text) : [];
  return texts.find((text) => typeof text === 'string')?.replace(/^Error: /, '');
}
