import type { HttpRequest } from './message.ts';

/** Weak, since the host or a proxy may compress the text. */
export async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `W/"${[...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}

/** Whether a client already has what an ETag names. The comparison is weak (RFC 9110, section 13.1.2). */
export function isKnown(etag: string, { headers }: HttpRequest): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  const tag = etag.replace(/^W\//, '');
  return (
    String(given).trim() === '*' ||
    (String(given)
      .match(/"[^"]*"/g)
      ?.includes(tag) ??
      false)
  );
}
