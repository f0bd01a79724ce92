import { InexactNumber } from '../schema/parse-json.ts';

/** What `parseJson` has read, as JSON: numbers that JavaScript cannot represent as they were sent. */
export function writeJson(value: unknown): string {
  // Random, so that no string in it can be mistaken for one.
  const mark = crypto.randomUUID();
  const text = JSON.stringify(value, (_, one: unknown) => (one instanceof InexactNumber ? mark + one.text : one));
  return text.replaceAll(new RegExp(`"${mark}([^"]+)"`, 'g'), '$1');
}
