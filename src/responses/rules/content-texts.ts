import { isRecord } from '../../schema/json-schema.ts';

type Body = Readonly<Record<string, unknown>>;

/** The items of a body's content; none if it is not a list. */
export function itemsOf(body: Body): readonly unknown[] {
  return Array.isArray(body['content']) ? body['content'] : [];
}

/** The texts in a body's content. */
export function textsOf(body: Body): readonly string[] {
  return itemsOf(body).flatMap((item) => (isRecord(item) && typeof item['text'] === 'string' ? [item['text']] : []));
}
