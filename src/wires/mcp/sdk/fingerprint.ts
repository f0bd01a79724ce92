import { isRecord } from '../../../schema/json-schema.ts';

/** Identifies a call by its method, name and arguments, whatever the order of their keys. */
export async function fingerprint(
  method: string,
  { name, input }: { readonly name: string; readonly input?: unknown },
): Promise<string> {
  const text = JSON.stringify([method, name, input ?? {}], (_key, value: unknown) =>
    isRecord(value) ? sorted(value) : value,
  );
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** As entries: a key called `__proto__` is data here, too. */
function sorted(record: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Object.keys(record)
    .toSorted()
    .map((key) => [key, record[key]]);
}
