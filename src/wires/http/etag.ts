import type { HttpRequest } from './message.ts';

/** A strong ETag: the same for the same text only. */
export async function etagOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `"${[...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}

/** Whether the client already has what has this ETag. */
export function isKnown(etag: string, { headers }: HttpRequest): boolean {
  const known = String(headers['if-none-match'] ?? '');
  return known === '*' || known.includes(etag);
}
